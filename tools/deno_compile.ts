import { resolve } from "node:path";
import { BuildError, run } from "./command.ts";
import { PERMISSIONS, type ProgramPlan, V8_FLAGS } from "./programs.ts";

/**
 * The arguments of `deno compile`.
 *
 * @param app the folder of the bundle
 * @param main the module to run, in that folder
 * @param output the file to write; `.exe` is added for Windows
 */
export function compileArguments(
  target: string,
  app: string,
  main: string,
  output: string,
): string[] {
  return [
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
  ];
}

/**
 * Compiles a bundle, and starts what came out when it is for this machine.
 *
 * @throws {BuildError} when the runtime base is missing, or is something else
 */
export async function compile(
  program: ProgramPlan,
  target: string,
  app: string,
  main: string,
  output: string,
): Promise<void> {
  const args = compileArguments(target, app, main, output);
  const env = { NO_COLOR: "1" };
  const { success, stderr } = await run(Deno.execPath(), args, { env });
  if (success) {
    if (target === Deno.build.target) await checkRuns(program, output);
    return;
  }
  throw new BuildError(
    `\`deno compile\` could not build ${output}:\n${
      stderr.trim().replace(/^/gm, "    ")
    }
  = it needs its runtime base (denort) for ${target}, which it fetches from dl.deno.land
  = without a way there: set DENORT_BIN to an unzipped denort, or build from the local Deno with --pack`,
  );
}

/** A DENORT_BIN that is no denort gives a file that ignores what was compiled. */
async function checkRuns(program: ProgramPlan, output: string): Promise<void> {
  const { stdout: said } = await run(resolve(output), ["--version"]);
  if (said.startsWith(`${program.name} `)) return;
  await Deno.remove(output);
  throw new BuildError(
    `${output} does not run ${program.name}: asked for its version it says \`${
      said.split("\n")[0]
    }\`\n  = DENORT_BIN must be a denort of Deno ${Deno.version.deno}, not deno itself`,
  );
}
