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
    line: "pip install ./bench_sdk-0.1.0-py3-none-manylinux_2_27_x86_64.whl",
    reason: "tests/packed/wheel_test.ts builds and installs it",
  },
  {
    page: "docs/python.md",
    line: "PYTHONPATH=sdk pytest examples/python",
    reason:
      "the Python of this machine may lack it; unittest runs the same file below",
  },
  {
    page: "sdk/README.md",
    line: "python3 -m unittest discover -s tests -t .",
    reason: "it is a suite of `deno task test` by itself",
  },
  ...[
    "bench run checkout.bench.yaml --target staging --store runs",
    "bench compare <run> --with <run> --store runs",
    "bench compare <run> --with <run> <run> <run> --store runs",
    "bench demo --serve --addr 127.0.0.1:7800",
    "bench demo --serve --addr 127.0.0.1:7900 --slower 5%",
    "bench duel slow.bench.yaml --target old --against new",
  ].map((line) => ({
    page: "docs/compare.md",
    line,
    reason: "it compares minutes of load; tests of bench compare make the runs",
  })),
  {
    page: "docs/capacity.md",
    line:
      'bench capacity checkout.bench.yaml --target staging --threshold "p95(latency) < 300ms"',
    reason: "it goes on until the machine is at its limit",
  },
  ...[
    "bench run checkout.bench.yaml --target staging --stop-on-breach",
    'bench run checkout.bench.yaml --target staging --until "p99 within 5%"',
  ].map((line) => ({
    page: "docs/load.md",
    line,
    reason: "it goes on for as long as it takes to be sure",
  })),
  ...[
    "pytest --bench-target staging",
    "pytest --bench-target http://127.0.0.1:7800 -k ada --junitxml result.xml",
  ].map((line) => ({
    page: "docs/python.md",
    line,
    reason:
      "the Python of this machine may lack it; sdk/tests/test_pytest.py runs it",
  })),
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
