import { type CommandOptions, spawnBench } from "./bench.ts";

/** One message as it came. */
export interface RpcMessage {
  readonly id?: number | string | null;
  readonly method?: string;
  // deno-lint-ignore no-explicit-any -- tests look into it
  readonly params?: any;
  // deno-lint-ignore no-explicit-any -- tests look into it
  readonly result?: any;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    // deno-lint-ignore no-explicit-any -- tests look into it
    readonly data?: any;
  };
}

/** A client of `bench rpc` or `bench lsp` that writes and reads the bytes itself. */
export class RpcClient implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #bytes = new Uint8Array(0);
  #ended = false;

  constructor(options: CommandOptions = {}, command = "rpc") {
    this.#child = spawnBench([command], { stdin: "", ...options });
    this.#writer = this.#child.stdin.getWriter();
    this.#reader = this.#child.stdout.getReader();
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Bytes as they are. */
  async raw(text: string): Promise<void> {
    await this.#writer.write(new TextEncoder().encode(text));
  }

  async send(message: Record<string, unknown>): Promise<void> {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    const { length } = new TextEncoder().encode(body);
    await this.raw(`Content-Length: ${length}\r\n\r\n${body}`);
  }

  /** The next message; undefined at the end. */
  async receive(): Promise<RpcMessage | undefined> {
    for (;;) {
      const text = new TextDecoder("latin1").decode(this.#bytes);
      const end = text.indexOf("\r\n\r\n");
      const length = Number(/Content-Length: (\d+)/.exec(text)?.[1]);
      if (end >= 0 && this.#bytes.length >= end + 4 + length) {
        const body = this.#bytes.slice(end + 4, end + 4 + length);
        this.#bytes = this.#bytes.slice(end + 4 + length);
        return JSON.parse(new TextDecoder().decode(body));
      }
      const { value, done } = await this.#reader.read();
      if (done) return undefined;
      const joined = new Uint8Array(this.#bytes.length + value.length);
      joined.set(this.#bytes);
      joined.set(value, this.#bytes.length);
      this.#bytes = joined;
    }
  }

  /** Sends a request, and returns its response; notifications on the way go into `seen`. */
  async ask(
    id: number,
    method: string,
    params?: unknown,
    seen: RpcMessage[] = [],
  ): Promise<RpcMessage> {
    await this.send({ id, method, ...(params !== undefined && { params }) });
    return await this.response(id, seen);
  }

  async response(id: number, seen: RpcMessage[] = []): Promise<RpcMessage> {
    for (;;) {
      const message = await this.receive();
      if (!message) throw new Error("the engine ended");
      if (message.id === id) return message;
      seen.push(message);
    }
  }

  /** Ends standard input. */
  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#writer.close().catch(() => {});
  }

  /** Nothing reads its output any more. */
  async stopReading(): Promise<void> {
    await this.#reader.cancel();
  }

  /** How the process ended, and what it said on stderr. */
  async over(): Promise<{ code: number; stderr: string }> {
    const chunks: string[] = [];
    const decoder = new TextDecoder();
    for await (const chunk of this.#child.stderr) {
      chunks.push(decoder.decode(chunk));
    }
    const { code } = await this.#child.status;
    return { code, stderr: chunks.join("") };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
    await this.#reader.cancel().catch(() => {});
    await this.#child.stderr.cancel().catch(() => {});
    await this.#child.status;
  }
}
