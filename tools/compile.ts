/**
 * `deno task compile`: the two binaries, in `dist/`.
 *
 *     deno task compile [--target <triple>] [--pack] [--out <dir>]
 *
 * Bundles each program and gives the bundle to `deno compile`, which fetches its
 * runtime base (`denort`) or takes the file DENORT_BIN names. With `--pack` it
 * builds self-extracting executables from the local Deno instead.
 */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type BuildFacts, buildFacts, buildWords } from "./build_facts.ts";
import { bundle } from "./bundle.ts";
import { pack } from "./pack.ts";
import {
  PERMISSIONS,
  type ProgramPlan,
  PROGRAMS,
  TARGETS,
  V8_FLAGS,
} from "./programs.ts";

/** What a person did wrong, or what the machine lacks. */
class BuildError extends Error {
  override readonly name = "BuildError";
}

async function main(args: readonly string[]): Promise<number> {
  try {
    const { values } = parseArgs({
      // `deno task compile -- --pack` hands its own `--` on.
      args: args.filter((each) => each !== "--"),
      options: {
        target: { type: "string", default: Deno.build.target },
        pack: { type: "boolean", default: false },
        out: { type: "string", default: "dist" },
      },
    });
    await build(values.target, values.pack, values.out);
    return 0;
  } catch (error) {
    const { code } = error as { code?: unknown };
    const usage = typeof code === "string" && code.startsWith("ERR_PARSE_ARGS");
    say(`compile: error: ${(error as Error).message}\n`);
    return usage ? 2 : 1;
  }
}

async function build(target: string, packed: boolean, out: string) {
  if (!TARGETS.includes(target)) {
    throw new BuildError(
      `there is no target \`${target}\`\n  = one of: ${TARGETS.join(", ")}`,
    );
  }
  if (packed && target !== Deno.build.target) {
    throw new BuildError(
      `--pack packs the Deno of this machine, which is for ${Deno.build.target}, not for ${target}\n  = leave --target out, or leave --pack out`,
    );
  }
  const facts = await buildFacts(target);
  await Deno.mkdir(out, { recursive: true });
  for (const program of PROGRAMS) {
    // Host sampling is Linux-only, but only Windows has no use for the agent at all.
    if (program.name === "bench-agent" && target.includes("windows")) continue;
    await buildOne(program, facts, packed, out);
  }
}

async function buildOne(
  program: ProgramPlan,
  facts: BuildFacts,
  packed: boolean,
  out: string,
): Promise<void> {
  const words = buildWords(facts, packed ? "packed" : "compiled");
  const app = join(out, ".app", program.name);
  const output = join(
    out,
    facts.target.includes("windows") ? `${program.name}.exe` : program.name,
  );
  const main = await bundle(program, words, app);
  await Deno.remove(output).catch(() => {});
  if (packed) await pack(program, words, app, main, output);
  else await compile(program, facts.target, app, main, output);
  await Deno.remove(app, { recursive: true });
  const { size } = await Deno.stat(output);
  say(`${output}  ${(size / 1_048_576).toFixed(1)} MiB  ${words}\n`);
}

async function compile(
  program: ProgramPlan,
  target: string,
  app: string,
  main: string,
  output: string,
): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "compile",
      "--quiet",
      "--no-config",
      "--no-lock",
      "--no-npm",
      "--no-remote",
      "--no-prompt",
      V8_FLAGS,
      PERMISSIONS,
      "--include",
      app,
      "--target",
      target,
      "--output",
      output,
      main,
    ],
    env: { NO_COLOR: "1" },
    stdout: "null",
    stderr: "piped",
  }).output();
  if (success) {
    if (target === Deno.build.target) await checkRuns(program, output);
    return;
  }
  throw new BuildError(
    `\`deno compile\` could not build ${output}:\n${
      new TextDecoder().decode(stderr).trim().replace(/^/gm, "    ")
    }
  = it needs its runtime base (denort) for ${target}, which it fetches from dl.deno.land
  = without a way there: set DENORT_BIN to an unzipped denort, or build from the local Deno with --pack`,
  );
}

/** A DENORT_BIN that is no denort gives a file that ignores what was compiled. */
async function checkRuns(program: ProgramPlan, output: string): Promise<void> {
  const { stdout } = await new Deno.Command(
    resolve(output),
    {
      args: ["--version"],
      stderr: "null",
    },
  ).output();
  const said = new TextDecoder().decode(stdout);
  if (said.startsWith(`${program.name} `)) return;
  await Deno.remove(output);
  throw new BuildError(
    `${output} does not run ${program.name}: asked for its version it says \`${
      said.split("\n")[0]
    }\`\n  = DENORT_BIN must be a denort of Deno ${Deno.version.deno}, not deno itself`,
  );
}

function say(text: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(text));
}

if (import.meta.main) Deno.exit(await main(Deno.args));
