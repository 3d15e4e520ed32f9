import { deepEqual, equal, ok } from "node:assert/strict";
import { workspace } from "../support/bench.ts";
import { engineResult, type Told } from "./engine_result.ts";
import { pythonResults } from "./python_results.ts";
import { ENV, randomScripts, ROWS } from "./random_script.ts";
import { scriptServer } from "./script_server.ts";

const FLOWS = 250;

Deno.test({
  name:
    "random flows: the same bytes, outcomes, words and redaction as execute()",
  sanitizeOps: true,
  sanitizeResources: true,
  async fn() {
    const server = scriptServer();
    const scripts = randomScripts(server.url, FLOWS, 20260101);
    const files = { "rows.csv": ROWS };
    const target = {
      name: "here",
      base_urls: [`${server.url}/base%20x/é/`, server.url],
      request_timeout: "5s",
    };

    server.restart(scripts);
    const wanted: Told[] = [];
    for (const { flow } of scripts) {
      wanted.push(await engineResult(flow, JSON.stringify(target), ENV, files));
    }
    const bytes = scripts.map((_, index) => server.received(index));

    server.restart(scripts);
    using place = workspace(files);
    const told = await pythonResults({
      flows: scripts.map(({ flow }) => flow),
      target,
      directory: place.path,
      env: ENV,
    });
    await server.close();

    let refused = 0;
    for (const [index, { flow }] of scripts.entries()) {
      const what = JSON.stringify(flow);
      // Only what a flow names is read, and so known to be a secret.
      for (const name of ["SECRET", "OTHER"]) {
        if (!what.includes(`{{ env.${name} }}`)) continue;
        const shown = JSON.stringify(told[index]).includes(ENV[name]!);
        ok(!shown, `the value of ${name} is in the result of ${what}`);
      }
      deepEqual(server.received(index), bytes[index], what);
      const [theirs, mine] = [wanted[index]!, told[index]!];
      if (!theirs.refused) {
        deepEqual(mine, theirs, what);
        continue;
      }
      // Python stops at the first mistake, the engine tells them all.
      const [code = ""] = mine.refused ?? [];
      ok(theirs.refused.includes(code), `${code}, ${theirs.refused}: ${what}`);
      equal(bytes[index]?.length, 0);
      refused++;
    }
    ok(refused < FLOWS / 3, `${refused} flows were refused`);
    const requests = bytes.reduce((sum, each) => sum + each.length, 0);
    ok(requests > FLOWS * 2, `${requests} requests`);
  },
});
