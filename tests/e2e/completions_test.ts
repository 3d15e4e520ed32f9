import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { bench, workspace } from "../support/bench.ts";
import {
  askShell,
  BASH_WITHOUT_COMPOPT,
  SESSIONS,
  type ShellSession,
} from "../support/shells.ts";
import { isMissing, needs } from "../support/tools.ts";

/** The folder that every line is completed in. */
const FILES = {
  ".git/HEAD": "",
  "targets/demo.yaml": "",
  "targets/staging.yml": "",
  "targets/notes.txt": "",
  "suite/a.bench.yaml":
    "version: 1\nflow: checkout # pays\ntags: [smoke, pay-in]\nsteps:\n  - id: nothing\n",
  "suite/in/b.bench.yml":
    "tags:\n- slow\n  # no: word\n- 'smoke'\nflow: \"catalog\"\n",
  "suite/.old/c.bench.yaml": "flow: chosen-never\n",
  "work/buy.yaml": "",
  "work/catalog.json": "",
  "work/login.py": "",
  "work/my flow.yml": "",
  "work/notes.txt": "",
  "work/tls/ca.pem": "",
  "work/tls/ca.key": "",
  "work/.bench/runs/20261120T100000Z-buy-0a0a0a/meta.json": "",
  "work/.bench/runs/20261121T100000Z-buy-0b0b0b/meta.json": "",
  "work/.bench/runs/half-written/traces.json": "",
  "work/nightly/20261119T100000Z-soak-0c0c0c/meta.json": "",
} as const;

const MODES = ["integration", "load", "soak", "stress", "system"];
const RUNS = [
  "latest",
  "20261121T100000Z-buy-0b0b0b",
  "20261120T100000Z-buy-0a0a0a",
];

/** What is tried, the line before the cursor, and what must be offered. */
const LINES: readonly (readonly [string, string, readonly string[]])[] = [
  ["a command by its first letters", "bench val", ["validate"]],
  ["a flag of that command alone", "bench plan --js", ["--json"]],
  ["no flag of another command", "bench init --mo", []],
  [
    "no flag of a command that is a value",
    "bench run buy.yaml --target demo --str",
    [],
  ],
  ["the words a flag takes", "bench run buy.yaml --mode s", [
    "soak",
    "stress",
    "system",
  ]],
  ["the words a flag takes, after =", "bench run buy.yaml --mode=s", [
    "soak",
    "stress",
    "system",
  ]],
  ["every word a flag takes, after =", "bench run buy.yaml --mode=", MODES],
  ["the words an argument takes", "bench schema t", ["target"]],
  ["an argument once", "bench schema flow ", []],
  ["a command after a flag with a value", "bench --color never sch", [
    "schema",
  ]],
  ["a command after a flag with =", "bench --color=never sch", ["schema"]],
  ["a shell", "bench completions ", ["bash", "fish", "zsh"]],
  ["flows and folders for a flow", "bench run ", [
    "buy.yaml",
    "catalog.json",
    "login.py",
    "my flow.yml",
    "nightly",
    "tls",
  ]],
  ["a flow by its first letters", "bench validate lo", ["login.py"]],
  ["a flow with a space in its name", "bench run my", ["my flow.yml"]],
  ["a flow after flags", "bench run --mode load -q b", ["buy.yaml"]],
  ["a flow once", "bench run buy.yaml c", []],
  ["any file where no flow is", "bench plan tls/", [
    "tls/ca.key",
    "tls/ca.pem",
  ]],
  ["a file where a flag takes one", "bench run --cacert tls/ca.p", [
    "tls/ca.pem",
  ]],
  ["a file after =", "bench run --cacert=tls/ca.p", ["tls/ca.pem"]],
  ["every kind of file for a report", "bench run buy.yaml --junit n", [
    "nightly",
    "notes.txt",
  ]],
  ["folders alone for the store", "bench run buy.yaml --store n", ["nightly"]],
  ["folders alone for init", "bench init ", ["nightly", "tls"]],
  [
    "targets by name, from here up to the root of the repository",
    "bench run buy.yaml --target ",
    ["demo", "staging"],
  ],
  ["a target by its first letters", "bench plan buy.yaml --target=st", [
    "staging",
  ]],
  ["a target by its path", "bench plan buy.yaml --target ../targets/", [
    "../targets/demo.yaml",
    "../targets/staging.yml",
  ]],
  ["runs of the store", "bench report ", RUNS],
  ["runs of the store the line names", "bench report --store nightly ", [
    "20261119T100000Z-soak-0c0c0c",
    "latest",
  ]],
  ["the last run by its first letters", "bench report la", ["latest"]],
  [
    "runs of the store the line names, after =",
    "bench report --store=nightly 2026",
    ["20261119T100000Z-soak-0c0c0c"],
  ],
  ["a run directory by its path", "bench report nig", ["nightly"]],
  ["names of the flows of a folder", "bench run ../suite --only c", [
    "catalog",
    "checkout",
  ]],
  ["tags of the flows of a folder", "bench run ../suite --tags ", [
    "pay-in",
    "slow",
    "smoke",
  ]],
  ["a tag after =", "bench run ../suite --skip-tags=sl", ["slow"]],
  ["no names where no flow is", "bench run --only ", []],
  ["nothing for a number", "bench run buy.yaml --seed ", []],
  ["nothing for an address", "bench serve --addr 1", []],
  ["nothing where nothing may follow", "bench serve ", []],
];

/** Printed once for each shell. */
const scripts = new Map<string, Promise<string>>();

function script(shell: string): Promise<string> {
  const made = scripts.get(shell) ??
    bench(["completions", shell]).then((done) => {
      equal(done.code, 0, done.stderr);
      return done.stdout;
    });
  scripts.set(shell, made);
  return made;
}

/** What a real shell offers in a folder with `FILES`, in its folder `work`. */
async function ask(
  session: ShellSession,
  lines: readonly string[],
) {
  using folder = workspace({ "work/.keep": "", ...FILES });
  return await askShell(
    session,
    await script(session.shell),
    lines,
    `${folder.path}/work`,
  );
}

/** Skipped, and says so, where the shell is missing. */
function testIn(
  { shell }: ShellSession,
  name: string,
  fn: (t: Deno.TestContext) => Promise<void>,
): void {
  Deno.test({
    name: `bench completions ${shell}: ${name}${needs(shell)}`,
    ignore: isMissing(shell),
    fn,
  });
}

for (const session of SESSIONS) {
  testIn(session, `what a real shell offers, ${session.way}`, async (t) => {
    const { offers } = await ask(session, LINES.map(([, line]) => line));
    for (const [index, [what, line, expected]] of LINES.entries()) {
      await t.step(`${what}: ${line}`, () => {
        const got = offers[index]!.filter((each) =>
          // Where nothing may follow zsh falls back on flags.
          session.shell !== "zsh" || expected.length > 0 ||
          !each.startsWith("-")
        );
        // Runs have an order of their own; each shell orders the rest its way.
        deepStrictEqual(expected === RUNS ? got : got.sort(), [...expected]);
      });
    }
  });

  testIn(
    session,
    `every command and flag of --help, ${session.way}`,
    async () => {
      const commands = await listed([], /^([a-z]+)/g);
      ok(commands.length > 5, `${commands}`);
      const flags = await Promise.all(
        commands.map((each) => listed([each], /(--[a-z-]+)/g)),
      );
      const { offers, shown } = await ask(session, [
        "bench ",
        ...commands.map((each) => `bench ${each} --`),
      ]);
      const [first, ...rest] = offers.map((each) => each.sort());
      deepStrictEqual(first, commands);
      deepStrictEqual(rest, flags);
      if (session.shell === "bash") return;
      match(shown, /\bvalidate\s+(?:-- )?run every check there is/);
      match(shown, /--report-md\s+(?:-- )?also write the result as Markdown/);
    },
  );
}

testIn(
  BASH_WITHOUT_COMPOPT,
  "the bash of macOS offers words, and files for everything else",
  async () => {
    const { offers } = await ask(BASH_WITHOUT_COMPOPT, [
      "bench val",
      "bench run lo",
      "bench run buy.yaml --store n",
    ]);
    deepStrictEqual(offers, [
      ["validate"],
      ["login.py"],
      ["nightly", "notes.txt"],
    ]);
  },
);

/** Names in what `--help` lists, sorted. */
async function listed(
  command: readonly string[],
  pattern: RegExp,
): Promise<string[]> {
  const { stdout } = await bench([...command, "--help"]);
  const heading = command.length === 0 ? "Commands:" : "Options:";
  const lines = stdout.split(heading)[1]!.split("\n").filter((line) =>
    // Not the second line of a description.
    /^ {2}\S/.test(line)
  );
  const names = lines.flatMap((line) => {
    const [before] = line.split(/ {2,}(?=\S)/).slice(1);
    return [...before!.matchAll(pattern)].map(([, name]) => name!);
  });
  return names.filter((name) => name !== "help" && name !== "bench").sort();
}
