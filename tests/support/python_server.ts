import { follow } from "./live_command.ts";

/** A server in Python, from this folder; the first line it prints is its port. */
export interface PythonServer extends AsyncDisposable {
  readonly port: number;
}

const PYTHON = "/usr/bin/python3";

/** Whether Python has a module. */
export function pythonHas(module: string): boolean {
  try {
    const args = ["-c", `import ${module}`];
    return new Deno.Command(PYTHON, { args, stderr: "null" }).outputSync()
      .success;
  } catch {
    return false;
  }
}

/** Starts one; it ends with its standard input. */
export async function pythonServer(file: string): Promise<PythonServer> {
  const server = new Deno.Command(PYTHON, {
    args: [new URL(file, import.meta.url).pathname],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const command = follow(server);
  const [port] = await command.printed(/^\d+(?=\n)/);
  return {
    port: Number(port),
    async [Symbol.asyncDispose]() {
      await server.stdin.close();
      await command.ended();
    },
  };
}
