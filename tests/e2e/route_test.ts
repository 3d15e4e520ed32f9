import { equal, match } from "node:assert/strict";
import { startDemoTarget } from "../../cli/demo/server.ts";
import { bench, workspace } from "../support/bench.ts";

Deno.test("--resolve: a run, its replay and a search of the capacity connect to the address that is given", async () => {
  const target = await startDemoTarget({ port: 0, hostname: "127.0.0.1" });
  await using _ = { [Symbol.asyncDispose]: () => target.close() };
  const { port } = new URL(target.url);
  using folder = workspace({
    "t.yaml": `name: t\nbase_urls: ["http://shop.invalid:${port}"]\n`,
    "f.bench.yaml": `flow: f
profile: { mode: load, vus: 1, hold: 1s, thresholds: [error_rate < 1%] }
steps: [{ id: item, call: GET /items/1 }]
`,
  });
  const pinned = (...args: string[]) =>
    bench([...args, "--resolve", `shop.invalid:${port}:127.0.0.1`], {
      cwd: folder.path,
    });
  const flow = ["f.bench.yaml", "--target", "t.yaml"];
  const run = await pinned("run", ...flow, "--mode", "integration");
  equal(run.code, 0, run.stderr);
  match(run.stdout, /not looked up/);
  const again = await pinned("replay", "latest");
  equal(again.code, 0, again.stderr);
  const level = ["--from", "20", "--most", "20", "--trial", "2s"];
  const { stdout } = await pinned("capacity", ...flow, ...level);
  match(stdout, /^ +20 .* 0% +0% /m);
});
