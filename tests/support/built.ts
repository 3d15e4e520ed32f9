import { cpSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./program.ts";

/** The built programs, laid out as on a machine without Deno, Node or a checkout. */
export interface Built extends AsyncDisposable {
  /** What BENCH_BUILT names: the programs, `bin/`, `home/` and `work/`. */
  readonly folder: string;
}

/**
 * What the programs may find on PATH: what the shell head of a packed one calls,
 * what tests call beside it, and the Python of flows written in that.
 */
const TOOLS = [
  ...["sh", "tar", "gzip", "tail", "mkdir", "mv", "rm", "id", "ls"],
  ...["bash", "head", "true", "python3", "unshare", "mount", "cp"],
];

/**
 * Lays out built programs to be tested.
 *
 * @param programs a folder with `bench` and `bench-agent`; without one they are
 *   built as `deno task compile --pack` does
 */
export async function layOut(programs?: string): Promise<Built> {
  const folder = await Deno.makeTempDir({ prefix: "bench-built-" });
  for (const each of ["bin", "home", "work"]) {
    await Deno.mkdir(join(folder, each));
  }
  for (const tool of TOOLS) {
    await Deno.symlink(which(tool), join(folder, "bin", tool));
  }
  cpSync(join(ROOT, "examples"), join(folder, "work", "examples"), {
    recursive: true,
  });
  if (programs === undefined) await pack(folder);
  else {
    for (const name of ["bench", "bench-agent"]) {
      await Deno.copyFile(join(programs, name), join(folder, name));
    }
  }
  return {
    folder,
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

async function pack(out: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "tools/compile.ts", "--pack", "--out", out],
    cwd: ROOT,
    stderr: "piped",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

/** The system's own: one from a version manager would need the rest of that. */
export function which(tool: string): string {
  for (const folder of ["/usr/bin", "/bin", "/usr/local/bin"]) {
    try {
      return Deno.realPathSync(join(folder, tool));
    } catch {
      continue;
    }
  }
  throw new Error(`there is no ${tool} to test with`);
}
