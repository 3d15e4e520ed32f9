import type { CommandResult } from "./bench.ts";
import { programCommand, programEnvironment } from "./program.ts";

/** The real `bench-agent`, in a process of its own. */
export interface LiveAgent extends AsyncDisposable {
  /** `127.0.0.1:<port>`. */
  readonly addr: string;
  readonly pid: number;
  /** Ends it by a signal, and says how it ended. */
  stop(signal?: Deno.Signal): Promise<CommandResult>;
}

/** A process of `bench-agent`. */
export function spawnAgent(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Deno.ChildProcess {
  const [program, ...words] = programCommand("bench-agent");
  return new Deno.Command(program, {
    args: [...words, ...args],
    env: { ...programEnvironment(), ...env },
    clearEnv: true,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** Starts an agent on every address and a free port, and waits for its start line. */
export async function startLiveAgent(
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<LiveAgent> {
  const child = spawnAgent(["--addr", ":0", ...args], env);
  const errors = new Response(child.stderr).text();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let stdout = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the agent did not start: ${await errors}`);
    stdout += value;
    if (stdout.includes("\n")) break;
  }
  const port = /listening on \S+:(\d+),/.exec(stdout)?.[1];
  let ended: Promise<CommandResult> | undefined;
  const stop = (signal: Deno.Signal = "SIGTERM") =>
    ended ??= (async () => {
      child.kill(signal);
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        stdout += value;
      }
      const { code } = await child.status;
      return { code, stdout, stderr: await errors };
    })();
  return {
    addr: `127.0.0.1:${port}`,
    pid: child.pid,
    stop,
    [Symbol.asyncDispose]: async () => void await stop(),
  };
}
