import { deepEqual, equal, ok } from "node:assert/strict";
import { answer } from "../support/answers.ts";
import { workspace } from "../support/bench.ts";
import { python } from "../support/python.ts";
import { recordingServer } from "../support/recording_server.ts";
import { engineResult } from "./engine_result.ts";

/* What only the IR can say: pools, extraction from header and status. */

const FILES = {
  "a.csv": "id\n1\n2\n3\n",
  "b.json": '[{"k":"x"},{"k":{"n":[1]}}]',
  "c.csv": "z\nq\n",
};

const program = (url: string, spread: string, dry: string) => `
import json
from bench_sdk import Flow, from_header, from_status, pool
b = pool("b", "b.json", distribution="${spread}", on_exhausted="${dry}")
c = pool("c", "c.csv", on_exhausted="${dry}")
flow = Flow("pools", pools=[pool("a", "a.csv"), b, c])
extract = {"h": from_header("x-id"), "s": from_status(), "n": from_header("nope")}
flow.call("one", "GET /{{ a.id }}/{{ b.k }}", extract=extract, on_failure="record")
body = {"h": "{{ h }}", "s": "{{ s }}", "b": "{{ b.k }}", "c": "{{ c.z }}"}
flow.call("two", "POST /two", body=body, assert_=["h == 'a, b'", "s == 200"], on_failure="record")
result = flow.execute("${url}")
steps = [[[s.id, s.outcome, s.failure.message if s.failure else None] for s in each.steps]
         for each in result.iterations]
print(json.dumps({"ir": flow.to_json().decode(), "steps": steps}))
`;

Deno.test({
  name: "what only the IR can say runs the same in the engine and in execute()",
  sanitizeOps: true,
  sanitizeResources: true,
  async fn() {
    await using server = recordingServer(() =>
      answer(200, {}, { "X-Id": "a, b", "x-ID": "second" })
    );
    using place = workspace(FILES);
    const target = JSON.stringify({ name: "t", base_urls: [server.url] });
    let compared = 0;
    for (const spread of ["unique-per-vu", "round-robin"]) {
      for (const dry of ["fail", "cycle", "stop"]) {
        const start = server.arrivals.length;
        const source = `import os\nos.chdir(${JSON.stringify(place.path)})${
          program(server.url, spread, dry)
        }`;
        const { stdout, stderr } = await python(source);
        equal(stderr, "");
        const { ir, steps } = JSON.parse(stdout);
        const mine = server.arrivals.slice(start).map(({ text }) => text);
        const { iterations } = await engineResult(ir, target, {}, FILES);
        const theirs = server.arrivals.slice(start + mine.length)
          .map(({ text }) => text);
        deepEqual(mine, theirs, `${spread} ${dry}`);
        const wanted = iterations?.map((each) =>
          each.steps.map(({ id, outcome, failure }) => [
            id,
            outcome,
            failure?.message ?? null,
          ])
        );
        deepEqual(steps, wanted, `${spread} ${dry}`);
        compared += mine.length;
      }
    }
    ok(compared > 20, `${compared} requests`);
  },
});
