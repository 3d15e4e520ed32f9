import { join } from "node:path";
import {
  type Counts,
  shown,
  type ShownResult,
  withoutSilence,
} from "./deno_suite.ts";

/** The SDK runs on this Python and later. */
const OLDEST_MINOR = 9;

/**
 * Runs the SDK's tests on the oldest and the newest usable Python, with this
 * program as their engine. A machine without Python, or a suite that says no
 * counts, is a failure: the suite needs both languages.
 */
export async function pythonSuite(bench: string): Promise<Counts> {
  const total: Counts = { passed: 0, failed: 0, skipped: 0 };
  for (const python of pythons()) {
    const { stdout, code } = await tryTo(() =>
      shown(python, ["-W", "error", "sdk/tests/run_suite.py"], {
        BENCH_BIN: bench,
      })
    );
    const [, passed, failed, skipped] =
      /^python: (\d+) passed, (\d+) failed, (\d+) skipped$/m.exec(stdout) ?? [];
    const counts = withoutSilence({
      passed: Number(passed ?? 0),
      failed: Number(failed ?? 0),
      skipped: Number(skipped ?? 0),
    }, code);
    total.passed += counts.passed;
    total.failed += counts.failed;
    total.skipped += counts.skipped;
  }
  return total;
}

/** The oldest and the newest Python of pyenv, else `python3`. */
function pythons(): string[] {
  const versions = join(Deno.env.get("HOME") ?? "/", ".pyenv", "versions");
  const found: { minor: number; path: string }[] = [];
  try {
    for (const { name } of Deno.readDirSync(versions)) {
      const minor = Number(/^3\.(\d+)\.\d+$/.exec(name)?.[1] ?? -1);
      if (minor < OLDEST_MINOR) continue;
      found.push({ minor, path: join(versions, name, "bin", "python") });
    }
  } catch {
    // No pyenv: the system's own Python.
  }
  found.sort((a, b) => a.minor - b.minor);
  const [oldest, newest] = [found[0], found.at(-1)];
  if (!oldest || !newest) return ["python3"];
  return oldest === newest ? [oldest.path] : [oldest.path, newest.path];
}

async function tryTo(
  run: () => Promise<ShownResult>,
): Promise<ShownResult> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    const stdout =
      "the Python SDK's tests need Python 3.9 or later, but there is no python3 on PATH\n";
    await Deno.stdout.write(new TextEncoder().encode(stdout));
    return { stdout, code: 1 };
  }
}
