/**
 * `deno task test`: every suite, and one last line with the real counts:
 * `N passed, N failed` or `N passed, N failed, N skipped`.
 *
 * A test that needs a tool this machine lacks is skipped and says so; with
 * BENCH_REQUIRE_TOOLS set it fails instead.
 */
import { type Counts, pythonSuite } from "./python_suite.ts";

const ROOT = new URL("../", import.meta.url);
const decoder = new TextDecoder();

/** Runs a command, shows what it prints, and returns that text. */
async function shown(
  command: string,
  args: readonly string[],
): Promise<{ text: string; code: number }> {
  const child = new Deno.Command(command, {
    args: [...args],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let text = "";
  const drain = async (stream: ReadableStream<Uint8Array>) => {
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true });
      await Deno.stdout.write(chunk);
    }
  };
  await Promise.all([drain(child.stdout), drain(child.stderr)]);
  return { text, code: (await child.status).code };
}

/** Reads the last line of `deno test`; a run that died counts as one failure. */
async function denoSuite(filters: readonly string[]): Promise<Counts> {
  const paths = filters.length > 0 ? filters : ["tests/"];
  const { text, code } = await shown(Deno.execPath(), [
    "test",
    "-A",
    "--quiet",
    "--preload=tests/support/fixed_seed.ts",
    ...paths,
  ]);
  const line = text.split("\n").findLast((each) =>
    /^(?:ok|FAILED) \| \d+ passed/.test(each)
  );
  const count = (word: string) =>
    Number(new RegExp(`(\\d+) ${word}`).exec(line ?? "")?.[1] ?? 0);
  const counts = {
    passed: count("passed"),
    failed: count("failed"),
    skipped: count("ignored"),
  };
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  return counts;
}

const counts = await denoSuite(Deno.args);
if (Deno.args.length === 0) {
  const python = await pythonSuite(shown);
  counts.passed += python.passed;
  counts.failed += python.failed;
  counts.skipped += python.skipped;
}
const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
// deno-lint-ignore no-console -- the counts are what this command is for
console.log(`\n${counts.passed} passed, ${counts.failed} failed${skipped}`);
Deno.exit(counts.failed > 0 || counts.passed === 0 ? 1 : 0);
