import type { CommandResult } from "./bench.ts";
import { follow } from "./live_command.ts";
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
  const agent = follow(spawnAgent(["--addr", ":0", ...args], env));
  const [, port] = await agent.printed(/listening on \S+:(\d+),/);
  let ended: Promise<CommandResult> | undefined;
  const stop = (signal: Deno.Signal = "SIGTERM") => {
    if (!ended) agent.process.kill(signal);
    return ended ??= agent.ended();
  };
  return {
    addr: `127.0.0.1:${port}`,
    pid: agent.process.pid,
    stop,
    [Symbol.asyncDispose]: async () => void await stop(),
  };
}
