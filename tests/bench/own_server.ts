import { pinned } from "./process_cost.ts";

/** A server of this folder, in a process of its own. */
export interface OwnServer extends AsyncDisposable {
  readonly port: number;
}

/** Starts a module of this folder on core 0; the first it prints is its port. */
export async function startOwnServer(
  module: string,
  words: readonly string[] = [],
): Promise<OwnServer> {
  const [program, ...args] = [
    ...pinned(0),
    ...[Deno.execPath(), "run", "-A", "--quiet"],
    new URL(module, import.meta.url).pathname,
    ...words,
  ];
  const server = new Deno.Command(program!, {
    args,
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = server.stdout.getReader();
  const { value } = await reader.read();
  return {
    port: Number(new TextDecoder().decode(value)),
    async [Symbol.asyncDispose]() {
      await reader.cancel();
      server.kill();
      await server.status;
    },
  };
}
