import {
  deepStrictEqual,
  doesNotMatch,
  equal,
  match,
} from "node:assert/strict";
import { join } from "node:path";
import { rawResponse } from "../support/raw_response.ts";
import { bench } from "../support/bench.ts";
import { recordingServer } from "../support/recording_server.ts";
import { runFixture } from "../support/run_fixture.ts";

/** Words of all lengths, so that some begin a line wherever lines are wrapped. */
const ORDERS = Array.from(
  { length: 12 },
  (_, n) => `${"x".repeat(n)} ::error::${n} ##[set-env name=A]${n} ##vso[a]`,
).join(" ");

/** A line of a log that GitHub's runner obeys. */
const OBEYED = /^\s*::|##\w*\[/m;

const FLOW = `flow: orders
steps:
  - { id: text, call: GET /, assert: [$.text == x], on_failure: record }
  - { id: short, call: GET /, assert: [$.short == x], on_failure: record }
  - { id: reason, call: GET /500 }
`;

Deno.test("GitHub Actions: a target gives no orders to the build server", async () => {
  const body = { text: ORDERS, short: "::stop-commands::x" };
  await using server = recordingServer(({ line }) =>
    line === "GET /500"
      ? "HTTP/1.1 500 ::add-mask::a ##[add-mask]b\r\nContent-Length: 0\r\n\r\n"
      : rawResponse(200, body)
  );
  using fixture = runFixture({ flow: FLOW, url: server.url });
  const summary = join(fixture.path, "summary.md");
  const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary };
  for (const args of [[], ["--json"], ["--quiet"]]) {
    const run = await fixture.run(args, { env });
    equal(run.code, 1, run.stderr);
    const own = /^::error file=flow\.yaml,line=\d+,col=\d+::.*$/gm;
    equal(run.stderr.match(own)?.length, 3);
    doesNotMatch(run.stdout + run.stderr.replaceAll(own, ""), OBEYED);
    if (args[0] === "--json") deepStrictEqual(JSON.parse(run.stdout), run.meta);
    else match(run.stdout, /\\u\{3a\}:stop-commands::x|\\u\{3a\}:error::/);
    match(JSON.stringify(run.meta.failures), /##\[set-env name=A\]/);
  }
  doesNotMatch(Deno.readTextFileSync(summary), OBEYED);
  // Elsewhere a text is shown as it came.
  const plain = await fixture.run();
  match(plain.stdout, /##\[set-env name=A\]/);
});

Deno.test("GitHub Actions: a flow file gives no orders, and annotations stay what they are", async () => {
  await using server = recordingServer();
  const flow = `flow: orders
steps:
  - id: ask
    call: GET /
    "::error::a ##[add-mask]b": 1
    ##[group]c
    ::set-output name=a::b: 2
`;
  using fixture = runFixture({ flow, url: server.url });
  const env = { GITHUB_ACTIONS: "true" };
  const options = { cwd: fixture.path, env };
  const text = await bench(["validate", "flow.yaml"], options);
  equal(text.code, 2);
  const lines = text.stderr.split("\n");
  const orders = lines.filter((line) => OBEYED.test(line));
  equal(orders.length, 2);
  for (const line of orders) match(line, /^::error file=flow\.yaml,line=\d,/);
  const json = await bench(
    ["validate", "flow.yaml", "--diagnostics", "json"],
    options,
  );
  doesNotMatch(json.stdout, OBEYED);
  match(JSON.stringify(JSON.parse(json.stdout)), /##\[add-mask\]b/);
});
