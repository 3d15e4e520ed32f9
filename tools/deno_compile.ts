import { resolve } from "node:path";
import { BuildError } from "./build_error.ts";
import { PERMISSIONS, type ProgramPlan, V8_FLAGS } from "./programs.ts";

/**
 * What `deno compile` is asked for.
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
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: compileArguments(target, app, main, output),
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
  const { stdout } = await new Deno.Command(resolve(output), {
    args: ["--version"],
    stderr: "null",
  }).output();
  const said = new TextDecoder().decode(stdout);
  if (said.startsWith(`${program.name} `)) return;
  await Deno.remove(output);
  throw new BuildError(
    `${output} does not run ${program.name}: asked for its version it says \`${
      said.split("\n")[0]
    }\`\n  = DENORT_BIN must be a denort of Deno ${Deno.version.deno}, not deno itself`,
  );
}
