import { join } from "node:path";
import {
  type CommandResult,
  programCommand,
  programEnvironment,
  resultOf,
} from "./program.ts";

/** Runs `$4...` with the folder `$2` on a file system of its own, and copies what it left to `$3`. */
const SCRIPT = `mount -t tmpfs -o size="$1" none "$2" || exit 99
from=$2 to=$3
shift 3
"$@"
code=$?
cp -r "$from" "$to"
exit $code`;

/** Whether this system lets a test have a file system of its own. */
export async function hasSmallDisks(): Promise<boolean> {
  try {
    const mount = ["-rm", "sh", "-c", "mount -t tmpfs none /tmp"];
    const { success } = await new Deno.Command("unshare", { args: mount })
      .output();
    return success;
  } catch {
    return false;
  }
}

/**
 * Runs `bench` with a run store on a disk of this size, in the folder `path`.
 *
 * @returns what it did, and the folder in which what it left can be read
 */
export async function benchOnSmallDisk(
  path: string,
  size: string,
  args: readonly string[],
): Promise<CommandResult & { readonly left: string }> {
  const disk = join(path, "disk");
  const left = join(path, "left");
  Deno.mkdirSync(disk);
  const words = [...programCommand("bench"), ...args, "--store", disk];
  const result = await resultOf(new Deno.Command("unshare", {
    args: ["-rm", "sh", "-c", SCRIPT, "sh", size, disk, left, ...words],
    cwd: path,
    env: programEnvironment(),
    clearEnv: true,
  }).output());
  return { ...result, left };
}
