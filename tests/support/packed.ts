import { join } from "node:path";
import { ROOT } from "./bench.ts";

/** What the shell head of a packed program calls, besides its own shell. */
const TOOLS = ["sh", "tar", "gzip", "tail", "mkdir", "mv", "rm", "id"];

/** The two packed programs, on a machine that has no Deno, no Node and no cache. */
export interface Packed extends AsyncDisposable {
  /** An empty folder to work in. */
  readonly path: string;
  /** The home directory of whoever runs them. */
  readonly home: string;
  spawn(
    program: "bench" | "bench-agent",
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): Deno.ChildProcess;
}

/** Builds both programs as `deno task compile --pack` does. */
export async function packedPrograms(): Promise<Packed> {
  const root = await Deno.makeTempDir({ prefix: "bench-packed-" });
  const [bin, home, path] = ["bin", "home", "work"].map((each) =>
    join(root, each)
  );
  for (const folder of [bin!, home!, path!]) await Deno.mkdir(folder);
  for (const tool of TOOLS) await Deno.symlink(which(tool), join(bin!, tool));
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "tools/compile.ts", "--pack", "--out", root],
    cwd: ROOT,
    stderr: "piped",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return {
    path: path!,
    home: home!,
    spawn: (program, args, env = {}) =>
      new Deno.Command(join(root, program), {
        args: [...args],
        cwd: path!,
        clearEnv: true,
        env: { PATH: bin!, HOME: home!, NO_COLOR: "1", ...env },
        stdin: "null",
        stdout: "piped",
        stderr: "piped",
      }).spawn(),
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

function which(tool: string): string {
  for (const folder of ["/usr/bin", "/bin"]) {
    try {
      return Deno.realPathSync(join(folder, tool));
    } catch {
      continue;
    }
  }
  throw new Error(`there is no ${tool} to test with`);
}
