import { deepStrictEqual, equal, match } from "node:assert/strict";
import { rawResponse } from "../support/raw_response.ts";
import { headerOf, recordingServer } from "../support/recording_server.ts";
import { runFixture, runOnce } from "../support/run_fixture.ts";

Deno.test("allow-list: a literal URL outside is refused before the run, with its location", async (t) => {
  await using server = recordingServer();
  const rows: [rule: string, step: string, location: string][] = [
    ["another host", "call: GET http://other.test/x", "4:15"],
    ["another port", "call: GET http://127.0.0.1:1/x", "4:15"],
    ["another scheme", `call: GET https://${server.host}/x`, "4:15"],
    [
      "a known host with a templated path",
      'call: "GET http://other.test/{{ env.WORD }}"',
      "4:16",
    ],
    [
      "userinfo that looks like the host",
      `call: GET http://${server.host}@other.test/`,
      "4:15",
    ],
    ["two slashes", "call: GET //other.test/x", "4:15"],
    [
      "the URL of a poll",
      "poll: { call: GET http://other.test/, until: [status == 200], interval: 1s, timeout: 1s }",
      "4:23",
    ],
    [
      "a token URL",
      'call: GET /\n    auth: { scheme: oauth2_client_credentials, token_url: http://id.test/token, client_id: a, client_secret: "{{ env.WORD }}" }',
      "5:59",
    ],
  ];
  await Promise.all(rows.map(([rule, step, at]) =>
    t.step({
      name: rule,
      fn: async () => {
        const flow = `flow: outside\nsteps:\n  - id: one\n    ${step}\n`;
        using fixture = runFixture({ flow, url: server.url });
        const run = await fixture.run([], { env: { WORD: "word" } });
        equal(run.code, 2, run.stdout + run.stderr);
        match(run.stderr, new RegExp(`^flow\\.yaml:${at}: error: `));
        equal(run.dir, "");
      },
      sanitizeExit: false,
    })
  ));
  equal(server.arrivals.length, 0);
});

Deno.test("allow-list: a templated host outside fails the step and is never contacted", async () => {
  await using outside = recordingServer();
  await using target = recordingServer(() =>
    rawResponse(200, { elsewhere: outside.host })
  );
  const env = { HOST: outside.host, NAME: "no-such-host.invalid" };
  const flow = `flow: templated
steps:
  - { id: inside, call: GET /inside, extract: { elsewhere: $.elsewhere } }
  - { id: shown, call: "GET http://{{ elsewhere }}/x", on_failure: record }
  - { id: no-url, call: "GET {{ elsewhere }}", on_failure: record }
  - { id: port, call: "GET http://{{ env.HOST }}/x", on_failure: record }
  - { id: name, call: "GET http://{{ env.NAME }}/x", on_failure: record }
  - id: token
    call: GET /x
    auth:
      scheme: oauth2_client_credentials
      token_url: "http://{{ env.HOST }}/token"
      client_id: a
      client_secret: "{{ env.NAME }}"
    on_failure: record
`;
  const run = await runOnce({ flow, url: target.url }, [], { env });
  equal(run.code, 1);
  deepStrictEqual(target.arrivals.map(({ line }) => line), ["GET /inside"]);
  equal(outside.accepted, 0, "no connection was made");
  const codes = run.meta.failures.map(({ step, code }) => `${step} ${code}`);
  deepStrictEqual(codes.sort(), [
    "name forbidden-host",
    "no-url request",
    "port forbidden-host",
    "shown forbidden-host",
    "token forbidden-host",
  ]);
  const phases = run.traces[0]!.spans.map(({ name }) => name)
    .filter((name) => name === "dns" || name === "connect");
  deepStrictEqual(phases, ["connect"], "the first step's alone");
});

Deno.test("allow-list: every base URL may be contacted, the first completes paths", async () => {
  await using first = recordingServer();
  await using second = recordingServer();
  const flow = `flow: two
steps:
  - { id: one, call: GET /relative }
  - { id: two, call: "GET ${second.url}/absolute" }
`;
  const run = await runOnce({ flow, url: `${first.url}, ${second.url}` });
  equal(run.code, 0, run.stdout + run.stderr);
  deepStrictEqual(
    [first.arrivals[0]?.line, second.arrivals[0]?.line],
    ["GET /relative", "GET /absolute"],
  );
});

Deno.test("allow-list: redirects are responses like any other and never followed", async () => {
  await using outside = recordingServer();
  await using server = recordingServer(({ line }) =>
    rawResponse(302, {}, {
      Location: line === "GET /away" ? `${outside.url}/x` : "/next",
    })
  );
  const flow = `flow: redirects
steps:
  - id: away
    call: GET /away
    headers: { Authorization: "Bearer {{ env.TOKEN }}" }
    assert: [status == 302, header.Location contains /x]
  - { id: near, call: GET /near }
`;
  const run = await runOnce({ flow, url: server.url }, [], {
    env: { TOKEN: "abcdef" },
  });
  equal(run.code, 0, run.stdout + run.stderr);
  equal(server.arrivals.length, 2);
  equal(headerOf(server.arrivals[0]!, "Authorization"), "Bearer abcdef");
  equal(outside.accepted, 0);
});
