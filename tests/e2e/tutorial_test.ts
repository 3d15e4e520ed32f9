import { equal, match } from "node:assert/strict";
import { join } from "node:path";
import { startDemoTarget } from "../../lib/demo/server.ts";
import { bench, ROOT, workspace } from "../support/bench.ts";

/** The flows and targets of the tutorial, in order. */
function listings(): string[] {
  const text = Deno.readTextFileSync(join(ROOT, "docs/tutorial.md"));
  return [...text.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, yaml]) => yaml!);
}

Deno.test({
  name: "docs/tutorial.md does what it says, step by step",
  sanitizeOps: true,
  sanitizeResources: true,
  async fn() {
    const target = await startDemoTarget({ port: 0, hostname: "127.0.0.1" });
    try {
      using place = workspace({
        "targets/demo.yaml": `name: demo\nbase_urls: [${target.url}]\n`,
      });
      const [wrong = "", mended = "", load = "", stress = ""] = listings();
      const run = async (flow: string, ...args: string[]) => {
        await Deno.writeTextFile(join(place.path, "item.bench.yaml"), flow);
        return bench(["run", "item.bench.yaml", "--target", "demo", ...args], {
          cwd: place.path,
        });
      };
      const failed = await run(wrong);
      equal(failed.code, 1, failed.stderr);
      match(failed.stdout, /item\.bench\.yaml:8:9/);
      match(failed.stdout, /expected: == integer <43>|expected: integer <43>/);
      equal((await run(mended)).code, 0);
      const loaded = await run(load);
      equal(loaded.code, 0, loaded.stdout);
      match(loaded.stdout, /mode load {2}10 VUs/);
      const checked = await run(load, "--mode", "integration");
      match(checked.stdout, /mode integration/);
      const broken = await run(stress);
      equal(broken.code, 1, broken.stdout);
      match(broken.stdout, /^knee_point_found: inconclusive: /m);
    } finally {
      await target.close();
    }
  },
});
