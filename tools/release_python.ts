import { join, resolve } from "node:path";
import { BuildError } from "./build_error.ts";

/**
 * Platform tags of wheels (PyPA, platform compatibility tags), by target. Deno
 * asks for glibc 2.27 and macOS 11.
 */
const PLATFORMS: Readonly<Record<string, string>> = {
  "x86_64-unknown-linux-gnu": "manylinux_2_27_x86_64",
  "aarch64-unknown-linux-gnu": "manylinux_2_27_aarch64",
  "x86_64-apple-darwin": "macosx_11_0_x86_64",
  "aarch64-apple-darwin": "macosx_11_0_arm64",
  "x86_64-pc-windows-msvc": "win_amd64",
};

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
  const platform = PLATFORMS[target];
  if (platform === undefined) {
    throw new BuildError(
      `there is no target \`${target}\`\n  = one of: ${
        Object.keys(PLATFORMS).join(", ")
      }`,
    );
  }
  const ending = target.includes("windows") ? ".exe" : "";
  const program = resolve(from, `bench${ending}`);
  try {
    await Deno.stat(program);
  } catch (error) {
    throw new BuildError(
      `Cannot read ${program}: ${(error as Error).message}
  = build it with deno task compile --target ${target} --out ${from}`,
    );
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
  let done: Deno.CommandOutput;
  try {
    done = await new Deno.Command("python3", {
      args: ["-B", "-c", call, folder, JSON.stringify(settings)],
      cwd: "sdk",
    }).output();
  } catch (error) {
    throw new BuildError(
      `python3 could not be started: ${(error as Error).message}
  = the package is built by Python 3.9 or later`,
    );
  }
  const decoder = new TextDecoder();
  if (!done.success) throw new BuildError(decoder.decode(done.stderr).trim());
  return join(out, decoder.decode(done.stdout).trim());
}
