import type { CommandResult } from "./bench.ts";

/** A command under way whose output can be waited for. */
export interface LiveCommand {
  readonly process: Deno.ChildProcess;
  /** Resolves once stderr holds a text or a match; rejects when it ends without. */
  said(text: string | RegExp): Promise<RegExpExecArray>;
  /** Resolves once stdout holds a match; rejects when it ends without. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** How it ended, with all it printed. */
  ended(): Promise<CommandResult>;
}

/** Follows a command that was started with piped output. */
export function follow(process: Deno.ChildProcess): LiveCommand {
  let stdout = "";
  let stderr = "";
  let over = false;
  const waiting = new Set<() => void>();
  const look = () => waiting.forEach((each) => each());
  const drain = async (
    stream: ReadableStream<Uint8Array>,
    take: (text: string) => void,
  ) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      take(decoder.decode(chunk, { stream: true }));
      look();
    }
  };
  const drained = Promise.all([
    drain(process.stdout, (text) => stdout += text),
    drain(process.stderr, (text) => stderr += text),
  ]).then(() => {
    over = true;
    look();
  });
  const once = <T>(
    found: () => T | undefined,
    missing: () => string,
  ): Promise<T> =>
    new Promise((resolve, reject) => {
      const check = () => {
        const it = found();
        if (it !== undefined) resolve(it);
        else if (over) reject(new Error(missing()));
        else return;
        waiting.delete(check);
      };
      waiting.add(check);
      check();
    });
  return {
    process,
    said: (text) =>
      once(
        () => patternOf(text).exec(stderr) ?? undefined,
        () => `never said: ${text}\n${stderr}`,
      ),
    printed: (pattern) =>
      once(
        () => pattern.exec(stdout) ?? undefined,
        () => `never printed: ${pattern}\n${stdout}\n${stderr}`,
      ),
    async ended() {
      const [{ code }] = await Promise.all([process.status, drained]);
      return { code, stdout, stderr };
    },
  };
}

function patternOf(text: string | RegExp): RegExp {
  return typeof text === "string" ? new RegExp(RegExp.escape(text)) : text;
}
