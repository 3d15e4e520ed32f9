import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { filesBelow } from "../../tools/archive_file.ts";
import { bundle } from "../../tools/bundle.ts";
import { compileArguments } from "../../tools/deno_compile.ts";
import { type ProgramPlan, PROGRAMS, V8_FLAGS } from "../../tools/programs.ts";
import { ROOT, workspace } from "../support/bench.ts";
import { payloadOf } from "../support/compiled_payload.ts";

/*
 * What `deno task compile` puts into the binaries. The runtime base, which runs
 * it, has to be fetched; here Deno itself is served instead. That file would
 * not run, but it holds what a binary holds.
 */

const WORDS = "commit 0123456789ab, compiled with Deno for this";
const TIME = new Date("2026-11-20T00:00:00Z");
const [BENCH, AGENT] = PROGRAMS as [ProgramPlan, ProgramPlan];

/** Bundles a program and compiles it; the files of the bundle, and the executable. */
async function compiled(program: ProgramPlan) {
  using folder = workspace({});
  const app = join(folder.path, "app");
  const main = await bundle(program, WORDS, app, TIME);
  const bundled = new Map(
    filesBelow(app, "").map(({ path, bytes }) => [path.slice(1), bytes]),
  );
  const output = join(folder.path, program.name);
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: compileArguments(Deno.build.target, app, main, output),
    env: { DENORT_BIN: Deno.execPath(), NO_COLOR: "1" },
  }).output();
  equal(code, 0, new TextDecoder().decode(stderr));
  return { bundled, executable: Deno.readFileSync(output) };
}

Deno.test("the compiled bench holds its modules, workers, examples and SDK, and nothing else", async (t) => {
  const { bundled, executable } = await compiled(BENCH);
  const { metadata, files } = payloadOf(executable);

  await t.step("every permission, none of them asked for", () => {
    const { prompt, ...permissions } = metadata.permissions;
    equal(prompt, false);
    for (const [name, value] of Object.entries(permissions)) {
      deepStrictEqual(value, name.startsWith("allow_") ? [] : null, name);
    }
    ok("allow_read" in permissions);
  });

  await t.step("the flags of V8", () => {
    ok(
      V8_FLAGS.slice("--v8-flags=".length).split(",")
        .every((flag) => metadata.v8_flags.includes(flag)),
      `${metadata.v8_flags}`,
    );
  });

  await t.step(
    "the module to run, and the words of --version in the code",
    () => {
      equal(metadata.entrypoint_key, "main.js");
      ok(files.has("main.js"));
      const code = [...files].filter(([path]) => path.endsWith(".js")).map((
        [, bytes],
      ) => new TextDecoder().decode(bytes)).join("\n");
      match(code, new RegExp(WORDS));
      ok(!code.includes("from source"), "the words of a checkout");
    },
  );

  await t.step("both workers, an example of each kind, the SDK", () => {
    const expected = [
      "lib/engine/workers/worker.js",
      "cli/demo/burn_worker.js",
      ...["examples", "sdk/bench_sdk"].flatMap(tracked),
    ];
    ok(expected.length > 50, `${expected}`);
    for (const path of expected) ok(files.has(path), path);
  });

  await t.step(
    "no package and no part of the checkout beside the bundle",
    () => {
      equal(metadata.node_modules, null);
      deepStrictEqual([...files.keys()].sort(), [...bundled.keys()].sort());
      for (const path of files.keys()) {
        ok(!/node_modules|__pycache__|\.ts$|^tests\//.test(path), path);
      }
    },
  );

  await t.step("every file byte for byte", () => {
    for (const [path, bytes] of bundled) {
      ok(Buffer.from(bytes).equals(files.get(path)!), path);
    }
  });
});

Deno.test("the compiled agent is small, and the same bundle gives the same bytes", async () => {
  const [first, second] = await Promise.all([compiled(AGENT), compiled(AGENT)]);
  const { metadata, files } = payloadOf(first.executable);
  equal(metadata.entrypoint_key, "main.js");
  ok(
    [...files.keys()].every((path) => path.endsWith(".js")),
    `${[...files.keys()]}`,
  );
  ok(Buffer.from(first.executable).equals(second.executable));
});

/** Files of a folder of the checkout, without what Python leaves there. */
function tracked(folder: string): string[] {
  return filesBelow(join(ROOT, folder), folder).map(({ path }) => path)
    .filter((path) => !path.includes("__pycache__"));
}
