import { join, resolve } from "node:path";
import { BuildError, run } from "./command.ts";
import { checkTarget, fileOf, MACHINES, notBuilt } from "./programs.ts";

/**
 * Writes the wheel of one target: the Python package with `bench` inside.
 *
 * @param from the folder that the program was built into
 * @param out the folder of the wheel, made when it is not there
 * @returns the path of the wheel
 * @throws {BuildError} when there is no such target, no program, or no Python
 */
export async function writeWheel(
  target: string,
  from: string,
  out: string,
): Promise<string> {
  checkTarget(target);
  const platform = MACHINES[target]!.wheel;
  const program = resolve(from, fileOf("bench", target));
  try {
    await Deno.stat(program);
  } catch (error) {
    throw notBuilt(program, error, target, from);
  }
  return await build(out, "build_wheel", { program, platform });
}

/**
 * Writes the source archive of the Python package, which carries no program.
 *
 * @returns its path
 */
export async function writeSdist(out: string): Promise<string> {
  return await build(out, "build_sdist", {});
}

/** Has the package's own build backend (PEP 517) do it. */
async function build(
  out: string,
  hook: string,
  settings: Readonly<Record<string, string>>,
): Promise<string> {
  await Deno.mkdir(out, { recursive: true });
  const folder = resolve(out);
  const call = "import build_backend, json, sys; " +
    `print(build_backend.${hook}(sys.argv[1], json.loads(sys.argv[2])))`;
  const args = ["-B", "-c", call, folder, JSON.stringify(settings)];
  const done = await run("python3", args, { cwd: "sdk" }).catch((error) => {
    throw new BuildError(
      `python3 could not be started: ${(error as Error).message}
  = the package is built by Python 3.9 or later`,
    );
  });
  if (!done.success) throw new BuildError(done.stderr.trim());
  return join(out, done.stdout.trim());
}
