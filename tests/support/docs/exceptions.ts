/** A line of a shell block that is not run, and why. */
export interface Exception {
  readonly page: string;
  readonly line: string;
  readonly reason: string;
}

/** Every line of every page that the tests do not run. */
export const EXCEPTIONS: readonly Exception[] = [
  {
    page: "README.md",
    line: "npx -y deno@2.9.6 task demo",
    reason:
      "npx downloads the runtime; tests/e2e/programs_test.ts runs the demo",
  },
  {
    page: "README.md",
    line: "npx -y deno@2.9.6 task test",
    reason: "npx downloads the runtime, and the task runs this very test",
  },
  {
    page: "examples/README.md",
    line: "bench demo",
    reason: "it takes twelve seconds, and tests/e2e/programs_test.ts runs it",
  },
  {
    page: "docs/install.md",
    line: "npx -y deno@2.9.6 task bench --version",
    reason: "npx downloads the runtime; the line before it is run",
  },
  {
    page: "docs/python.md",
    line: "pip install ./sdk",
    reason: "pip downloads what builds a package",
  },
  {
    page: "docs/python.md",
    line: "PYTHONPATH=sdk pytest examples/python",
    reason:
      "pytest is not part of the project; unittest runs the same file below",
  },
];

/** The lines of a page's script that are run. */
export function withoutExceptions(page: string, script: string): string {
  const lines = new Set(
    EXCEPTIONS.filter((each) => each.page === page).map(({ line }) => line),
  );
  return script.split("\n").filter((line) => !lines.has(bare(line))).join("\n");
}

/** The command of a line, without the note behind it. */
export function bare(line: string): string {
  return line.replace(/\s+# .*$/, "").trim();
}
