import { equal, ok } from "node:assert/strict";
import { analyzedModules } from "../../support/analyzed_modules.ts";
import { programCommand, programEnvironment } from "../../support/program.ts";

Deno.test("start-up: from the sources, --version reads none of the commands", async () => {
  const cache = await Deno.makeTempDir({ prefix: "bench-cache-" });
  try {
    const [program, ...words] = programCommand("bench");
    const { code } = await new Deno.Command(program, {
      args: [...words, "--version"],
      env: { ...programEnvironment(), DENO_DIR: cache },
      stdout: "null",
    }).output();
    equal(code, 0);
    ok(analyzedModules(cache) < 10);
  } finally {
    await Deno.remove(cache, { recursive: true });
  }
});
