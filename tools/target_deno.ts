import { Buffer } from "node:buffer";
import { join } from "node:path";
import { BuildError, run } from "./command.ts";
import { MACHINES } from "./programs.ts";

/**
 * The bytes of the Deno for a target, of the version that runs this: the file
 * that is named, the running one when it is for this machine, else what the npm
 * package of that version holds.
 *
 * @throws {BuildError} when there is none, or it is for something else
 */
export async function denoFor(
  target: string,
  named?: string,
): Promise<Uint8Array> {
  if (named !== undefined) return read(named, named, target);
  if (target === Deno.build.target) {
    return read(Deno.execPath(), Deno.execPath(), target);
  }
  const name = `@deno/${MACHINES[target]!.deno}@${Deno.version.deno}`;
  const folder = await Deno.makeTempDir({ prefix: "bench-deno-" });
  try {
    await fetchPackage(name, folder);
    return read(join(folder, "package", "deno"), name, target);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** npm checks the package against the digest its registry states. */
async function fetchPackage(name: string, folder: string): Promise<void> {
  const fetched = await failureOf("npm", ["pack", "--silent", name], folder);
  const archive = [...Deno.readDirSync(folder)].find((each) =>
    each.name.endsWith(".tgz")
  );
  if (fetched !== "" || archive === undefined) {
    throw new BuildError(
      `\`npm pack ${name}\` failed:\n${fetched.replace(/^/gm, "    ")}
  = name the Deno of that system with --deno <file>`,
    );
  }
  const unpacked = await failureOf(
    "tar",
    ["-xzf", archive.name, "package/deno"],
    folder,
  );
  if (unpacked !== "") {
    throw new BuildError(`Cannot unpack ${name}: ${unpacked}`);
  }
}

/** The error output of a command; empty when it succeeds. */
async function failureOf(
  command: string,
  args: readonly string[],
  cwd: string,
): Promise<string> {
  try {
    const { success, stdout, stderr } = await run(command, args, { cwd });
    return success ? "" : (stderr || stdout).trim() || "it does not say why";
  } catch (error) {
    return (error as Error).message;
  }
}

function read(path: string, name: string, target: string): Uint8Array {
  const bytes = readFile(path);
  const made = machineOf(bytes);
  if (made !== target) {
    throw new BuildError(
      `${name} is ${made ? `for ${made}` : "no executable"}, not for ${target}`,
    );
  }
  // Its own User-Agent: it may be for another machine, so it is not run.
  const { deno } = Deno.version;
  if (!Buffer.from(bytes.buffer).includes(`Deno/${deno}`)) {
    throw new BuildError(`${name} is not Deno ${deno}`);
  }
  return bytes;
}

function readFile(path: string): Uint8Array {
  try {
    return Deno.readFileSync(path);
  } catch (error) {
    throw new BuildError(`Cannot read ${path}: ${(error as Error).message}`);
  }
}

/** By machine of an ELF header, and by CPU type of a Mach-O one. */
const ELF: Readonly<Record<number, string>> = {
  0x3e: "x86_64-unknown-linux-gnu",
  0xb7: "aarch64-unknown-linux-gnu",
};
const MACH_O: Readonly<Record<number, string>> = {
  0x01000007: "x86_64-apple-darwin",
  0x0100000c: "aarch64-apple-darwin",
};

/** The target that an executable was made for, read off its header. */
function machineOf(bytes: Uint8Array): string | undefined {
  if (bytes.length < 20) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  if (view.getUint32(0) === 0x7f454c46) return ELF[view.getUint16(18, true)];
  if (view.getUint32(0) === 0xcffaedfe) return MACH_O[view.getUint32(4, true)];
  return undefined;
}
