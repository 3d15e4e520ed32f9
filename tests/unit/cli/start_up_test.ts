import { equal, ok } from "node:assert/strict";
import { analyzedModules } from "../../support/analyzed_modules.ts";
import { sourceCommand } from "../../support/program.ts";

Deno.test("start-up: from the sources, --version reads none of the commands", async () => {
  const cache = await Deno.makeTempDir({ prefix: "bench-cache-" });
  try {
    const [program, ...words] = sourceCommand("bench");
    const { code } = await new Deno.Command(program, {
      args: [...words, "--version"],
      env: { DENO_DIR: cache, DENO_NO_UPDATE_CHECK: "1" },
      stdout: "null",
    }).output();
    equal(code, 0);
    ok(analyzedModules(cache) < 10);
  } finally {
    await Deno.remove(cache, { recursive: true });
  }
});
