import { deepStrictEqual, equal, match } from "node:assert/strict";
import { recordingServer } from "../support/recording_server.ts";
import { runFixture } from "../support/run_fixture.ts";

const PAGE =
  `<html><head><title>Orders of Ada</title></head><form action="/next">
<input type="hidden" name="csrf" value="t&amp;0k"></form></html>`;

function response(extra: string, body: string): string {
  return `HTTP/1.1 201 Created\r\n${extra}Content-Length: ${body.length}\r\n\r\n${body}`;
}

const FLOW = `version: 1
flow: takes
profile: { mode: MODE }
steps:
  - id: page
    call: GET /page
    extract:
      place: header.Location
      session: cookie.sid
      code: status
      number: { from: header.Location, pattern: 'orders/(\\d+)' }
      csrf: { css: 'input[name=csrf]', attribute: value }
      owner: { css: title, pattern: 'of (\\w+)' }
      action: { pattern: 'action="([^"]*)"' }
      none: { from: header.X-None, default: nothing }
      zero: { from: $.none, default: 0 }
  - id: next
    call: POST /next
    body: { p: "{{ place }}", s: "{{ session }}", c: "{{ code }}", n: "{{ number }}", t: "{{ csrf }}", o: "{{ owner }}", a: "{{ action }}", x: "{{ none }}", z: "{{ zero }}" }
`;

Deno.test("extract takes headers, cookies, the status, what patterns match and what pages hold, on workers too", async () => {
  const head =
    "Location: /orders/17\r\nSet-Cookie: sid=s1; Path=/\r\nContent-Type: text/html\r\n";
  await using server = recordingServer(() => response(head, PAGE));
  for (const mode of ["integration", "load, vus: 2, iterations: 4"]) {
    using fixture = runFixture({
      flow: FLOW.replace("MODE", mode),
      url: server.url,
    });
    const args = mode === "integration" ? [] : ["--workers", "2"];
    const { code, stdout, stderr } = await fixture.run(args);
    equal(code, 0, stdout + stderr);
  }
  const bodies = server.arrivals.filter(({ text }) => text.startsWith("POST"))
    .map(({ text }) => text.slice(text.indexOf("\r\n\r\n") + 4));
  equal(bodies.length, 5);
  for (const body of bodies) {
    deepStrictEqual(JSON.parse(body), {
      p: "/orders/17",
      s: "s1",
      c: 201,
      n: "17",
      t: "t&0k",
      o: "Ada",
      a: "/next",
      x: "nothing",
      z: 0,
    });
  }
});

Deno.test("a token that a page holds is a secret once it is sent as one", async () => {
  await using server = recordingServer(() => response("", PAGE));
  using fixture = runFixture({
    flow: `version: 1
flow: secret
steps:
  - id: page
    call: GET /page
    extract: { token: { css: title }, owner: { pattern: 'of (\\w+)', default: x } }
  - id: next
    call: GET /next
    auth: { scheme: bearer, token: "{{ token }}" }
`,
    url: server.url,
  });
  const { code, traces } = await fixture.run();
  equal(code, 0);
  match(server.arrivals[1]!.text, /authorization: Bearer Orders of Ada/i);
  const shown = JSON.stringify(traces);
  equal(shown.includes("Orders of Ada"), false, shown);
});

Deno.test("what is not found fails the step and says where it was looked for", async () => {
  await using server = recordingServer(() => response("", PAGE));
  using fixture = runFixture({
    flow: `version: 1
flow: misses
steps:
  - id: page
    call: GET /page
    extract:
      sid: cookie.sid
      csrf: { css: '#nothere', attribute: value }
      id: { from: $.id, pattern: '(\\d+)' }
      part: { pattern: 'nothere' }
      type: { from: header.Content-Length, pattern: 'csv' }
      group: { pattern: 'Orders( for)?' }
      none: { from: header.X-None, pattern: 'a' }
`,
    url: server.url,
  });
  const { code, traces } = await fixture.run();
  equal(code, 1);
  const shown = JSON.stringify(traces);
  match(shown, /cannot extract `sid`: cookie\.sid does not exist/);
  match(
    shown,
    /cannot extract `csrf`: value of css #nothere does not exist \(status 201\)/,
  );
  match(
    shown,
    /cannot extract `id`: \$\.id does not exist \(the body is not JSON/,
  );
  match(
    shown,
    /cannot extract `part`: body does not match nothere \(status 201\)"/,
  );
  match(
    shown,
    /cannot extract `group`: body matches Orders\( for\)\?, but group 1 has no part in it"/,
  );
  match(shown, /cannot extract `none`: header\.X-None does not exist"/);
  match(
    shown,
    /cannot extract `type`: header\.Content-Length does not match csv"/,
  );
});
