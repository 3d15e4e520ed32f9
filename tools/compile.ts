/**
 * `deno task compile`: the two binaries, in `dist/`.
 *
 * Bundles each program and gives the bundle to `deno compile`, which fetches its
 * runtime base (`denort`) or takes the file DENORT_BIN names. With `--pack` it
 * builds self-extracting executables from the Deno of the target instead: the
 * local one, the npm package's, or the file `--deno` names.
 */
import { join } from "node:path";
import { BuildError, readArguments, runTool, say } from "./command.ts";
import { type BuildFacts, buildFacts, buildWords } from "./build_facts.ts";
import { bundle } from "./bundle.ts";
import { compile } from "./deno_compile.ts";
import { pack } from "./pack.ts";
import {
  checkTarget,
  fileOf,
  isBuiltFor,
  type ProgramPlan,
  PROGRAMS,
} from "./programs.ts";
import { denoFor } from "./target_deno.ts";

interface BuildRequest {
  readonly target: string;
  readonly pack: boolean;
  readonly out: string;
  readonly deno?: string | undefined;
}

async function main(): Promise<void> {
  const { values } = readArguments({
    task: "compile",
    takes: "[--target TRIPLE] [--pack [--deno FILE]] [--out FOLDER]",
    about: "Builds the two binaries, in dist/ without --out.",
  }, {
    target: { type: "string", default: Deno.build.target },
    pack: { type: "boolean", default: false },
    deno: { type: "string" },
    out: { type: "string", default: "dist" },
  });
  await build(values);
}

async function build({ target, pack, out, deno }: BuildRequest): Promise<void> {
  checkTarget(target);
  if (pack && target.includes("windows")) {
    throw new BuildError(
      "a packed file is a shell script, which Windows does not run\n  = leave --pack out, or choose another --target",
    );
  }
  if (deno !== undefined && !pack) {
    throw new BuildError(
      "--deno names the Deno to pack\n  = add --pack, or name a denort in DENORT_BIN",
    );
  }
  const packed = pack ? await denoFor(target, deno) : undefined;
  const facts = await buildFacts(target);
  await Deno.mkdir(out, { recursive: true });
  for (const program of PROGRAMS) {
    if (isBuiltFor(program, target)) {
      await buildOne(program, facts, packed, out);
    }
  }
}

async function buildOne(
  program: ProgramPlan,
  facts: BuildFacts,
  packed: Uint8Array | undefined,
  out: string,
): Promise<void> {
  const words = buildWords(facts, packed ? "packed" : "compiled");
  const app = join(out, ".app", program.name);
  const output = join(out, fileOf(program.name, facts.target));
  const main = await bundle(program, words, app, facts.time);
  await Deno.remove(output).catch(() => {});
  if (packed) pack(program, words, app, main, packed, facts.time, output);
  else await compile(program, facts.target, app, main, output);
  await Deno.remove(join(out, ".app"), { recursive: true });
  const { size } = await Deno.stat(output);
  say(`${output}  ${(size / 1_048_576).toFixed(1)} MiB  ${words}\n`);
}

if (import.meta.main) await runTool("compile", main);
