import { deepEqual, equal, ok } from "node:assert/strict";
import { sources, textOf } from "../../architecture/program.ts";
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

Deno.test("start-up: only `bench mcp` loads the library of agents", () => {
  const importers = sources().filter((path) =>
    /from "(?:@modelcontextprotocol|@valibot)\//.test(textOf(path))
  );
  const outside = importers.filter((path) => !path.startsWith("cli/mcp/"));
  ok(importers.length > 1);
  deepEqual(outside, []);
  const loaders = sources().filter((path) =>
    !path.startsWith("cli/mcp/") &&
    /"\.\/(?:.*\/)?mcp\/(?!mcp_options)/.test(textOf(path))
  );
  deepEqual(loaders, ["cli/commands.ts"]);
  const [line] = textOf("cli/commands.ts").split("\n").filter((each) =>
    each.includes("mcp_command.ts")
  );
  ok(line?.includes("load: async () => (await import("));
});

Deno.test("start-up: the compiler of schemas is loaded by a run with a description alone", () => {
  const of = (pattern: RegExp) =>
    sources().filter((path) => pattern.test(textOf(path)));
  deepEqual(of(/from "ajv/), ["lib/openapi/schema_compiler.ts"]);
  deepEqual(of(/\/schema_compiler\.ts"/), ["lib/openapi/check.ts"]);
  deepEqual(of(/openapi\/check\.ts"/), ["lib/engine/vu/contract.ts"]);
  const loads = /import \{ openContract|await import\("\.\/contract\.ts"\)/;
  deepEqual(of(loads), ["lib/engine/vu/job.ts"]);
});
