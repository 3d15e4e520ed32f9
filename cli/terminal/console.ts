import { ifPossible } from "../../lib/base/values/if_possible.ts";
import { BenchError } from "../../lib/base/errors/bench_error.ts";
import { withoutCommands } from "../../lib/base/text/display.ts";
import { osReason } from "../../lib/base/text/os_reason.ts";

/** Where a command writes. stdout carries the result and nothing else. */
export interface Console {
  /** Writes for a program that reads it, byte for byte. */
  out(text: string): void;
  /** A result that a person reads. */
  print(text: string): void;
  err(text: string): void;
  /** Commands to the build server in whose log stderr is. */
  command(text: string): void;
  /** Whether stderr is a terminal on which a line can be drawn anew. */
  readonly live: boolean;
  /** Columns of that terminal, now: it may be resized. */
  readonly liveWidth: number;
  /** Columns of the summary. */
  readonly width: number;
  readonly outColor: boolean;
  readonly errColor: boolean;
}

export type ColorChoice = "auto" | "always" | "never";

/**
 * The process's own streams. A closed pipe (`bench run ... | head`) ends the
 * writing, not the run.
 *
 * @param choice `--color`; `auto` honours NO_COLOR and FORCE_COLOR
 */
export function systemConsole(choice: ColorChoice): Console {
  const { stdout, stderr } = Deno;
  const terminal = stdout.isTerminal();
  const shown = isObeyed() ? withoutCommands : (text: string) => text;
  return {
    out: (text) => print(text, terminal),
    print: (text) => print(shown(text), terminal),
    err: (text) => say(shown(text)),
    command: say,
    live: stderr.isTerminal() && canRedraw(),
    get liveWidth() {
      return columns();
    },
    width: terminal ? Math.max(60, columns()) : 80,
    outColor: wantsColor(choice, terminal),
    errColor: wantsColor(choice, stderr.isTerminal()),
  };
}

/** A build server may give a terminal to a job; its log shows each line that was drawn over. */
function canRedraw(): boolean {
  const { env } = Deno;
  const isLogged = !["", "0", "false"].includes(env.get("CI") ?? "");
  return env.get("TERM") !== "dumb" && !isLogged;
}

/** Whether a build server reads what is printed. */
function isObeyed(): boolean {
  const { env } = Deno;
  return env.get("GITHUB_ACTIONS") === "true" ||
    Boolean(env.get("TF_BUILD") || env.get("TEAMCITY_VERSION"));
}

function wantsColor(choice: ColorChoice, terminal: boolean): boolean {
  if (choice !== "auto") return choice === "always";
  const { env } = Deno;
  if (env.get("NO_COLOR")) return false;
  const forced = env.get("FORCE_COLOR");
  if (forced && forced !== "0") return true;
  return terminal && env.get("TERM") !== "dumb";
}

function columns(): number {
  // Some terminals do not know and say 0.
  return ifPossible(() => Deno.consoleSize().columns, 0) || 80;
}

/** Standard output takes no more: a full disk, a device that is gone. */
class OutputError extends BenchError {
  override readonly name = "OutputError";
}

const encoder = new TextEncoder();
type Stream = { writeSync(bytes: Uint8Array): number };

/** A result that did not arrive is an error, unless its reader has gone away. */
function print(text: string, terminal: boolean): void {
  try {
    writeAll(Deno.stdout, text);
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) return;
    // A terminal that was closed.
    if (terminal && (error as { code?: unknown }).code === "EIO") return;
    throw new OutputError(
      `Cannot write to standard output: ${osReason(error)}`,
      { cause: error },
    );
  }
}

/** An error of stderr itself is dropped: there is no stream left to print it on, as on a closed terminal. */
function say(text: string): void {
  try {
    writeAll(Deno.stderr, text);
  } catch {
    return;
  }
}

function writeAll(stream: Stream, text: string): void {
  let bytes = encoder.encode(text);
  while (bytes.length > 0) bytes = bytes.subarray(writeSome(stream, bytes));
}

/** The program may have been started with a pipe that does not wait. */
function writeSome(stream: Stream, bytes: Uint8Array): number {
  try {
    return stream.writeSync(bytes);
  } catch (error) {
    if (!(error instanceof Deno.errors.WouldBlock)) throw error;
    Atomics.wait(PAUSE, 0, 0, PAUSE_MS);
    return 0;
  }
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4));
const PAUSE_MS = 2;
