import { deepStrictEqual, equal, ok } from "node:assert/strict";
import { bench } from "../support/bench.ts";

/** What bash offers after this line, with the script in force. */
async function offered(script: string, line: string): Promise<string[]> {
  const words = line.split(" ");
  const program = `${script}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")})
COMP_CWORD=${words.length - 1}
_bench
printf '%s\\n' "\${COMPREPLY[@]}"
complete -p bench
`;
  const { code, stdout, stderr } = await new Deno.Command("bash", {
    args: ["--norc", "-u", "-c", program],
    stdout: "piped",
    stderr: "piped",
  }).output();
  equal(code, 0, new TextDecoder().decode(stderr));
  const lines = new TextDecoder().decode(stdout).trimEnd().split("\n");
  equal(lines.pop(), "complete -o default -F _bench bench");
  return lines.filter((each) => each !== "");
}

async function script(shell: string): Promise<string> {
  const { code, stdout, stderr } = await bench(["completions", shell]);
  equal(code, 0, stderr);
  return stdout;
}

const LINES = [
  ["a command by its first letters", "bench val", ["validate"]],
  ["a flag of that command alone", "bench plan --js", ["--json"]],
  ["the words a flag takes", "bench run x.yaml --mode s", [
    "system",
    "stress",
    "soak",
  ]],
  ["the words an argument takes", "bench schema t", ["target"]],
  ["a command after a flag with a value", "bench --color never sch", [
    "schema",
  ]],
  ["files, left to bash, where a flag takes one", "bench run --cacert c", []],
  ["files, left to bash, where an argument is one", "bench run fl", []],
  ["nothing for a flag the command does not have", "bench init --mo", []],
] as const;

Deno.test("bench completions bash completes in a real bash", async (t) => {
  const text = await script("bash");
  for (const [what, line, wanted] of LINES) {
    await t.step(what, async () => {
      deepStrictEqual(await offered(text, line), [...wanted]);
    });
  }
});

Deno.test("bench completions bash offers every command of --help", async () => {
  const { stdout } = await bench(["--help"]);
  const listed = [...stdout.split("Commands:")[1]!.matchAll(/^ {2}([a-z]+) /gm)]
    .map(([, name]) => name!)
    .filter((name) => name !== "help" && name !== "bench");
  ok(listed.length > 5);
  deepStrictEqual(await offered(await script("bash"), "bench "), listed);
});

for (const shell of ["zsh", "fish"]) {
  Deno.test(`bench completions ${shell} has every command with its flags and words`, async () => {
    const text = await script(shell);
    for (
      const word of [
        "validate",
        "completions",
        "mode",
        "integration system load stress soak",
        "bash zsh fish",
      ]
    ) {
      ok(text.includes(word), word);
    }
  });

  Deno.test({
    name: `bench completions ${shell} is a script ${shell} can read`,
    ignore: !await has(shell),
    async fn() {
      const child = new Deno.Command(shell, {
        args: ["-n"],
        stdin: "piped",
        stderr: "piped",
      }).spawn();
      const writer = child.stdin.getWriter();
      await writer.write(new TextEncoder().encode(await script(shell)));
      await writer.close();
      const { code, stderr } = await child.output();
      equal(code, 0, new TextDecoder().decode(stderr));
    },
  });
}

async function has(shell: string): Promise<boolean> {
  try {
    return (await new Deno.Command(shell, { args: ["--version"] }).output())
      .success;
  } catch {
    return false;
  }
}
