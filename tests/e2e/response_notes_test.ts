import { deepStrictEqual, equal } from "node:assert/strict";
import { recordingServer } from "../support/recording_server.ts";
import { runOnce } from "../support/run_fixture.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";

function respond(line: string): string {
  const head = (status: string, more = "") =>
    `HTTP/1.1 ${status}\r\n${more}Content-Length: 0\r\n\r\n`;
  if (line === "GET /old") return head("302 Found", "Location: /new\r\n");
  if (line === "POST /login") {
    return head("200 OK", "Set-Cookie: sid=1\r\n");
  }
  return line === "GET /mine" ? head("401 Unauthorized") : head("200 OK");
}

async function notesOf(
  steps: string,
  profile = "mode: integration",
): Promise<RunMeta["notes"]> {
  await using server = recordingServer(({ line }) => respond(line));
  const { meta } = await runOnce({
    flow: `flow: f\nprofile: { ${profile} }\nsteps:\n${steps}`,
    url: server.url,
  });
  return meta.notes;
}

Deno.test("a run notes a redirect that nothing asks about, and a cookie that nothing keeps before a 401", async () => {
  const steps = `  - { id: old, call: GET /old }
  - { id: login, call: POST /login }
  - { id: mine, call: GET /mine }
`;
  const expected = [
    "step `old` got a 302 that it does not assert: redirects are not followed",
    "step `login` got a cookie that nothing keeps, and step `mine` a 401: `cookies: iteration` at the flow keeps it, in a file with `version: 1`",
  ];
  deepStrictEqual(await notesOf(steps), expected);
  const underLoad = await notesOf(steps, "mode: load, vus: 2, iterations: 20");
  deepStrictEqual(underLoad.slice(0, 2), expected);
});

Deno.test("a redirect is noted where the latency alone is asserted, and where its step fails", async () => {
  deepStrictEqual(
    await notesOf("  - { id: old, call: GET /old, assert: [latency < 30s] }"),
    ["step `old` got a 302 that it does not assert: redirects are not followed"],
  );
  deepStrictEqual(
    await notesOf("  - { id: old, call: GET /old, assert: [status == 200] }"),
    ["step `old` got a 302 and failed: redirects are not followed"],
  );
});

Deno.test("a redirect that is asserted is no note where its step fails by something else", async () => {
  for (
    const each of [
      "[status == 302, header.Location == /other]",
      "[header.Location == /other]",
    ]
  ) {
    deepStrictEqual(
      await notesOf(`  - { id: old, call: GET /old, assert: ${each} }`),
      [],
    );
  }
});

Deno.test("a redirect that is asserted, and a cookie that is sent, are no notes", async () => {
  const notes = await notesOf(
    `  - { id: old, call: GET /old, assert: [status == 302] }
  - { id: login, call: POST /login }
  - { id: mine, call: GET /mine, headers: { Cookie: sid=1 } }
`,
  );
  equal(notes.filter((each) => /redirects|cookie that/.test(each)).length, 0);
});
