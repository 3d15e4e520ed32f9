import { join } from "node:path";
import { programCommand } from "../program.ts";
import type { Listening } from "./addresses.ts";

/** What the commands of a page's shell blocks need to know. */
export interface ShimOptions {
  readonly listening: Listening;
  /** Where servers are started (servers.ts). */
  readonly control: string;
}

/**
 * Writes the commands that pages call into `folder`: `bench` and `bench-agent`
 * start the programs under test, and hand over what stays running; `deno task`
 * calls them by the names that `deno.json` has for them.
 */
export function writeShims(folder: string, options: ShimOptions): void {
  const { listening } = options;
  const own = {
    home: Deno.env.get("HOME") ?? "/",
    bench: programCommand("bench").map(quoted).join(" "),
    agent: programCommand("bench-agent").map(quoted).join(" "),
  };
  // The program's own caches are the machine's; the page's home is empty.
  const exec = (command: string) => `HOME=${quoted(own.home)} exec ${command}`;
  const hold = (name: string) =>
    `printf '%s\\n' ${name} "$PWD" "\${BENCH_AGENT_TOKEN-}" "$@" |
  curl -sS --fail-with-body --data-binary @- ${options.control}; exit`;
  const lacks = (flag: string) => `[[ " $* " != *" ${flag} "* ]]`;
  const commands: Readonly<Record<string, string>> = {
    bench: `case "\${1-} \${2-}" in
*--help) ;;
"demo --serve")
  if ${lacks("--addr")}; then set -- "$@" --addr 127.0.0.1:0; fi
  ${hold("bench")} ;;
"serve "*)
  if ${lacks("--addr")}; then set -- "$@" --addr ${listening.viewer}; fi
  ${hold("bench")} ;;
"init "*)
  HOME=${quoted(own.home)} ${own.bench} "$@"
  grep -rlF 127.0.0.1:7800 . --include=demo.yaml |
    xargs -r sed -i s/127.0.0.1:7800/${listening.demo}/
  exit ;;
esac
${exec(own.bench)} "$@"`,
    "bench-agent": `case "\${1-}" in
--help | --version) ${exec(own.agent)} "$@" ;;
esac
if ${lacks("--addr")}; then set -- "$@" --addr ${listening.agent}; fi
${hold("bench-agent")}`,
    deno: `case "\${1-} \${2-}" in
"task bench") shift 2; exec bench "$@" ;;
"task agent") shift 2; exec bench-agent "$@" ;;
"task demo") shift 2; exec bench demo "$@" ;;
esac
${exec(quoted(Deno.execPath()))} "$@"`,
    python3: `${exec(quoted(PYTHON))} "$@"`,
  };
  Deno.mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(commands)) {
    Deno.writeTextFileSync(
      join(folder, name),
      `#!/usr/bin/env bash\nset -eu\n${text}\n`,
      { mode: 0o755 },
    );
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The interpreter itself: what PATH has may look for it under the home directory. */
const PYTHON = new TextDecoder().decode(
  new Deno.Command("python3", {
    args: ["-c", "import sys; print(sys.executable)"],
  }).outputSync().stdout,
).trim();
