import {
  absolutePath,
  dirname,
  isAbsolute,
  relativePath,
} from "../../lib/base/values/paths.ts";
import type { Environment } from "../../lib/compile.ts";
import { readInput, UnreadInput } from "../../lib/base/text/read_input.ts";

/** Where the variables and the files of a command come from. */
export interface InputEnvironment extends Environment {
  /** Only files of this folder are read, and no flow is a program; anything goes when absent. */
  readonly folder?: string;
  /** @param typed see `readInput` */
  readBytes(path: string, most: number, typed?: boolean): Uint8Array;
}

/** The machine this runs on. */
export const systemEnvironment: InputEnvironment = {
  // Of a name that none can have the runtime throws.
  env: (name) => /^[^=\0]+$/.test(name) ? Deno.env.get(name) : undefined,
  readBytes: readInput,
};

/**
 * The machine as far as one folder: files elsewhere cannot be read, whether their path
 * leads there or a symbolic link.
 *
 * @param folder absolute, its links resolved
 */
export function confinedTo(
  folder: string,
  env: Environment["env"],
): InputEnvironment {
  return {
    env,
    folder,
    readBytes: (path, most) => readInput(pathInside(folder, path), most),
  };
}

/**
 * The path of a file of the folder, its links resolved.
 *
 * @throws {UnreadInput} for one outside of it, whether there is such a file or not
 * @throws what the system says, for one that is not there
 */
function pathInside(folder: string, path: string): string {
  // Before any link is followed: this says nothing of what is elsewhere.
  checkInside(folder, absolutePath(folder, path));
  try {
    const real = Deno.realPathSync(path);
    checkInside(folder, real);
    return real;
  } catch (error) {
    const above = dirname(path);
    // What is missing behind a link that leads out is outside, too.
    if (error instanceof Deno.errors.NotFound && above !== path) {
      pathInside(folder, above);
    }
    throw error;
  }
}

function checkInside(folder: string, path: string): void {
  const below = relativePath(folder, path);
  if (!isAbsolute(below) && !/^\.\.(?:[\\/]|$)/.test(below)) return;
  throw new UnreadInput("it is outside of the folder that may be read", {
    code: "outside",
  });
}

/**
 * The path of a file that may be read.
 *
 * @throws as `readBytes` does, for one that may not
 */
export function readablePath(
  { folder }: InputEnvironment,
  path: string,
): string {
  return folder === undefined ? path : pathInside(folder, path);
}
