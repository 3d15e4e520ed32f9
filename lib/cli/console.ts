import process from "node:process";

/** Where a command writes. stdout carries the result and nothing else. */
export interface Console {
  out(text: string): void;
  err(text: string): void;
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
  return {
    out: (text) => writeAll(stdout, text),
    err: (text) => writeAll(stderr, text),
    live: stderr.isTerminal() && process.env["TERM"] !== "dumb",
    get liveWidth() {
      return columns();
    },
    width: stdout.isTerminal() ? Math.max(60, columns()) : 80,
    outColor: wantsColor(choice, stdout.isTerminal()),
    errColor: wantsColor(choice, stderr.isTerminal()),
  };
}

function wantsColor(choice: ColorChoice, terminal: boolean): boolean {
  if (choice !== "auto") return choice === "always";
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR && FORCE_COLOR !== "0") return true;
  return terminal && TERM !== "dumb";
}

function columns(): number {
  try {
    // Some terminals do not know and say 0.
    return Deno.consoleSize().columns || 80;
  } catch {
    return 80;
  }
}

const encoder = new TextEncoder();

function writeAll(
  stream: { writeSync(bytes: Uint8Array): number },
  text: string,
): void {
  let bytes = encoder.encode(text);
  try {
    while (bytes.length > 0) bytes = bytes.subarray(stream.writeSync(bytes));
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}
