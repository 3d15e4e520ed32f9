/** Counts of one suite. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** What a command printed on stdout, and how it ended. */
export interface ShownResult {
  readonly stdout: string;
  readonly code: number;
}

const ROOT = new URL("../", import.meta.url);
const encoder = new TextEncoder();

/**
 * Runs a command in the checkout and shows what it prints on either stream, by
 * whole lines: several run at once. Counts are read from stdout alone.
 */
export async function shown(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ShownResult> {
  const child = new Deno.Command(command, {
    args: [...args],
    cwd: ROOT,
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const drain = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    let text = "";
    let written = 0;
    const show = (end: number) => {
      Deno.stdout.writeSync(encoder.encode(text.slice(written, end)));
      written = end;
    };
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true });
      show(Math.max(written, text.lastIndexOf("\n") + 1));
    }
    show(text.length);
    return text;
  };
  const [stdout] = await Promise.all([
    drain(child.stdout),
    drain(child.stderr),
  ]);
  return { stdout, code: (await child.status).code };
}

/**
 * Runs test files side by side, two more than there are cores: those that start
 * programs wait for half of their time. Reads the counts from the last line; a run that died counts as one failure.
 */
export async function denoSuite(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Counts> {
  const { stdout, code } = await shown(Deno.execPath(), [
    "test",
    "-A",
    "--no-check",
    "--quiet",
    "--parallel",
    "--preload=tests/support/fixed_seed.ts",
    ...args,
  ], { DENO_JOBS: String(navigator.hardwareConcurrency + 2), ...env });
  const line = stdout.split("\n").findLast((each) =>
    /^(?:ok|FAILED) \| \d+ passed/.test(each)
  );
  const count = (word: string) =>
    Number(new RegExp(`(\\d+) ${word}`).exec(line ?? "")?.[1] ?? 0);
  const counts = {
    passed: count("passed"),
    failed: count("failed"),
    skipped: count("ignored"),
  };
  return withoutSilence(counts, code);
}

/** A suite that ended in an error, or ran nothing, has a failure whatever it says. */
export function withoutSilence(counts: Counts, code: number): Counts {
  const silent = counts.failed === 0 && (code !== 0 || counts.passed === 0);
  return silent ? { ...counts, failed: 1 } : counts;
}

/** The counts of several suites, as one line. */
export function inOneLine(suites: readonly Counts[]): string {
  const sum = (key: keyof Counts) =>
    suites.reduce((total, each) => total + each[key], 0);
  const skipped = sum("skipped");
  return `${sum("passed")} passed, ${sum("failed")} failed${
    skipped > 0 ? `, ${skipped} skipped` : ""
  }`;
}
