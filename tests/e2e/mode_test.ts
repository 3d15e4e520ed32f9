import { equal, match } from "node:assert/strict";
import { bench, workspace } from "../support/bench.ts";
import { startDemoTarget } from "../../cli/demo/server.ts";

const FLOW = `flow: both
profile: { mode: load, vus: 2, iterations: 20 }
steps:
  - id: item
    call: GET /items/42
    assert: [status == 200]
`;

Deno.test({
  name: "bench run --mode makes one file a functional check and a load test",
  sanitizeOps: true,
  sanitizeResources: true,
  async fn() {
    const target = await startDemoTarget({ port: 0, hostname: "127.0.0.1" });
    using folder = workspace({
      "flow.yaml": FLOW,
      "target.yaml": `name: demo\nbase_urls: [${target.url}]\n`,
      "bare.yaml": "flow: bare\nsteps:\n  - id: a\n    call: GET /health\n",
    });
    const run = (...args: string[]) =>
      bench(["run", ...args, "--target", "./target.yaml", "--json"], {
        cwd: folder.path,
      });
    const [load, check, unbounded] = await Promise.all([
      run("flow.yaml"),
      run("flow.yaml", "--mode", "integration"),
      run("bare.yaml", "--mode", "load"),
    ]);
    await target.close();
    equal(JSON.parse(load.stdout).mode, "load");
    equal(JSON.parse(load.stdout).iterations.completed, 20);
    equal(JSON.parse(check.stdout).mode, "integration");
    equal(JSON.parse(check.stdout).iterations.completed, 1);
    equal(unbounded.code, 2, "the rules of the other mode hold");
    match(unbounded.stderr, /`hold`|`iterations`/);
  },
});
