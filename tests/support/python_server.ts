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
  }).spawn();
  const reader = server.stdout.getReader();
  const decoder = new TextDecoder();
  let line = "";
  while (!line.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`${file} ended before it said its port`);
    line += decoder.decode(value, { stream: true });
  }
  return {
    port: Number(line),
    async [Symbol.asyncDispose]() {
      await server.stdin.close();
      await server.status;
      await reader.cancel();
    },
  };
}
