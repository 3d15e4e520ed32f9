import { Command, CommanderError, Option } from "commander";
import { buildIdentity } from "../lib/base/values/build.ts";
import {
  type ColorChoice,
  type Console,
  systemConsole,
} from "./terminal/console.ts";
import { failWith } from "./terminal/errors.ts";
import { COMMANDS } from "./commands.ts";
import {
  addCommand,
  MISSING_TARGET,
  refuseRepeated,
} from "./options/command.ts";

const EXAMPLES = `
Examples:
  bench demo                                    see it work, end to end
  bench validate flows/checkout.bench.yaml      every error, nothing sent
  bench run flows/checkout.bench.yaml --target staging

Exit codes:
  0 passed   1 verdict failed   2 refused before the first request
  3 could not finish   129, 130, 143 interrupted, results saved
`;

/**
 * Runs the program. Each command's code is loaded only when it is called, so
 * that `--version` and usage errors print at once.
 *
 * @returns the exit code
 */
export async function main(args: readonly string[]): Promise<number> {
  let code = 0;
  const own = ownArguments(args);
  const program = describe(own, (of) => {
    code = of;
  });
  try {
    await program.parseAsync(own, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return failWith(error, systemConsole("auto"), "text");
  }
}

/** `deno task demo -- --stress` hands its own `--` on. */
function ownArguments(args: readonly string[]): readonly string[] {
  if (args[0] === "demo" && args[1] === "--") return ["demo", ...args.slice(2)];
  const [first = "", command] = args;
  const own = first === "help" && command ? [command, "--help"] : args;
  // The library shows the program's help for one of a command that there is not.
  return isUnknown(own[0]) ? own.slice(0, 1) : own;
}

function isUnknown(command = "help"): boolean {
  return !/^-|^help$/.test(command) &&
    COMMANDS.every(({ name }) => name !== command);
}

/** @param end takes the exit code */
function describe(
  args: readonly string[],
  end: (code: number) => void,
): Command {
  const color = new Option("--color <when>", "colour in the output")
    .choices(["auto", "always", "never"]).default("auto");
  const program = new Command("bench")
    .description(
      "Runs a scripted flow of requests: a functional check, then a load test.",
    )
    .version(
      buildIdentity("bench"),
      "-V, --version",
      "print the version, the commit and how it was built",
    )
    .showSuggestionAfterError()
    .addOption(color)
    .addHelpText("after", EXAMPLES);
  refuseRepeated(program, color);
  for (const each of COMMANDS) {
    addCommand(program, each, async (body) => {
      const { color } = program.opts<{ color: ColorChoice }>();
      end(await body(systemConsole(color)));
    });
  }
  reportUsageErrors(program, args, systemConsole("auto"));
  return program;
}

/** Load flags of other tools; here the flow says it. */
const LOAD_FLAGS: ReadonlySet<string> = new Set(
  "-d -i -u --vus --users --duration --iterations --stage --stages --rps --rate --arrival-rate --hold --ramp --threshold --thresholds"
    .split(" "),
);

/** Flags of a run under their names in other tools; no help for a command without the flag. */
const OTHER_SPELLINGS: Readonly<Record<string, string>> = {
  "--hold": "-d --duration --run-time --max-duration",
  "--for": "-d --duration --run-time --hold",
  "--vus": "-u --users --num-users --concurrency --max-vus",
  "--iterations": "-i --loops",
  "--ramp": "--spawn-rate --hatch-rate --ramp-up --rampup",
  "--rate": "--arrival-rate --qps --throughput",
  "--insecure": "-k --insecure-skip-tls-verify --no-verify --tls-skip-verify",
  "--junit": "--junit-xml --junitxml --report-junit --reporter-junit-export",
  "--metrics": "--prometheus",
  "--quiet": "--silent",
  "--jobs": "--parallel --max-workers",
  "--http": "--http2 --http1.1 --http1 --http1.0",
};

/** Other flags of commands of other tools that run a test, and the way out. */
const OTHER_FLAGS: readonly (readonly [names: string, hint: string])[] = [
  [
    "-o --out --output --html --report --report-html --report-json --report-tap --csv --summary-export --export --reporter --reporters",
    "every run is stored: `bench report latest -o run.html` makes a file of it, --json prints it, --junit and --report-md write reports",
  ],
  [
    "-e --env --env-var --environment --variable --variables --variables-file --global-var --globals --secret --secrets-file",
    "values come from the environment, as {{ env.NAME }}: `NAME=value bench run ...`, or a file for --env-file",
  ],
  [
    "-H --host --url --base-url",
    "hosts are in the target file, as `base_urls`: give that with --target",
  ],
  [
    "--timeout --timeout-request --request-timeout --max-time --connect-timeout",
    "`request_timeout` of the target file bounds every request",
  ],
  [
    "--data --payload --iteration-data --csv-data",
    "test data is a file that the flow names: `data: users.csv`",
  ],
  [
    "--bail --exit-on-fail --fail-fast --continue-on-error",
    "a step that is to end the run has `on_failure: abort_run`, one whose failure ends nothing `on_failure: record`",
  ],
  [
    "--test --check",
    "`bench run` is the test: it ends with 1 when an assertion does not hold, and `bench validate` sends nothing",
  ],
  [
    "--dry-run --dryrun --parse-only",
    "`bench validate` checks all of it and sends nothing, `bench plan` says what would be sent",
  ],
  [
    "-n --iteration-count --repeat",
    "a check runs once for each row of its `data`; a number of times with --mode load --iterations",
  ],
  [
    "--folder --grep --step --steps --from-entry --to-entry",
    "--only and --tags choose flows; steps are not chosen, since each needs those before it",
  ],
  [
    "--glob",
    "flows are named by a folder or a pattern in quotes: bench run 'flows/*.bench.yaml'",
  ],
  [
    "-L --location --location-trusted --max-redirs --follow --follow-redirects",
    "a redirect is not followed: the page it leads to is a step of its own",
  ],
  [
    "--retry --retries --retry-interval --max-retries",
    "a step is retried by its `retry`; to wait for a condition, it is a `poll`",
  ],
  ["--delay --delay-request", "a pause is a step: `wait: 500ms`"],
  [
    "--cookie --cookies --cookie-jar",
    "a flow of version 1 keeps cookies: `cookies: iteration`",
  ],
  [
    "--user --username --password",
    "credentials are the flow's `auth`: { scheme: basic, username, password }",
  ],
  [
    "-v --very-verbose --verbosity",
    "did you mean --verbose? `bench serve` shows every exchange that was kept",
  ],
  ["--no-color --no-colour", "before the command: bench --color never run ..."],
  [
    "-s --stage --stages",
    "load that rises and falls is `stages` of the profile; --ramp is one ramp",
  ],
  [
    "--rps --max-rps",
    "--rate offers so many requests a second; `max_rps` of the target file is the most that are sent",
  ],
  [
    "--headless --no-web --web-port --web-host --web-ui",
    "a run needs no browser; --open shows it in one",
  ],
  [
    "--master --worker --master-host --master-port --expect-workers --processes --execution-segment",
    "several processes share a run by --shard and --lead, threads by --workers",
  ],
  [
    "--tag",
    "a run has the `tags` of its flow file; --tags chooses flows by them",
  ],
  [
    "--http-debug --debug --full-debug --log-level --loglevel --log-file",
    "requests and responses are in the traces of the run: `bench serve` shows them",
  ],
  [
    "--stop-timeout --graceful-stop --graceful-ramp-down",
    "iterations under way have 30 s once the plan is over",
  ],
  [
    "--no-summary --summary-mode --summary-trend-stats --summary-time-unit --print-stats --only-summary",
    "the summary is the same for every run; --json prints all its figures, --quiet leaves out the progress",
  ],
  [
    "--no-thresholds",
    "thresholds of the profile are always judged",
  ],
  [
    "--user-agent --header --headers",
    "headers belong to the steps of a flow: `headers: { User-Agent: ... }`",
  ],
];

/** Commands under the names that they have in other tools, or that first come to mind. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  validate: "check lint inspect verify",
  run: "test exec start quick load stress soak cloud",
  runs: "ls list history results status",
  serve: "ui view viewer show open dashboard web",
  report: "export html summary stats",
  compare: "diff",
  import: "convert record",
  init: "new create quickstart",
  completions: "completion",
  "--version": "version",
};

/** Errors in the command line look like all others: what is wrong, and the way out. */
function reportUsageErrors(
  program: Command,
  args: readonly string[],
  console: Console,
): void {
  for (const command of [program, ...program.commands]) {
    command.configureOutput({
      writeOut: (text) => console.print(text),
      writeErr: (text) => console.err(text),
      outputError: () => {},
    }).exitOverride((error) => {
      if (error.exitCode !== 0 && error.code !== "commander.help") {
        console.err(usageError(error, command, args));
      }
      throw error;
    });
  }
}

function usageError(
  { code, message }: CommanderError,
  command: Command,
  args: readonly string[],
): string {
  // `error: ...`, and on the next line a suggestion in brackets.
  const [first = "", meant] = message.trim().split("\n");
  const known = code === "commander.unknownCommand" && knownAs(first);
  const other = code === "commander.unknownOption" &&
    otherFlag(first, command, args);
  const hint = known
    ? `did you mean ${known}?`
    : other
    ? other
    : meant
    ? `d${meant.slice("(D".length, -")".length)}`
    : hintOf(code, command, args);
  return `bench: error: ${first.slice("error: ".length)}\n  = ${hint}\n`;
}

/** The command that the word in quotes of a message is elsewhere. */
function knownAs(message: string): string | undefined {
  const [, word = ""] = /'(.*)'/.exec(message) ?? [];
  return Object.entries(OTHER_NAMES)
    .find(([, names]) => names.split(" ").includes(word))?.[0];
}

/** The way out for the flag in quotes of a message, of a command that knows a target. */
function otherFlag(
  message: string,
  command: Command,
  args: readonly string[],
): string | undefined {
  const has = (name: string) =>
    command.options.some(({ long }) => long === name);
  if (!has("--target")) return;
  const isImport = command.name() === "import";
  const isQuoted = args.some((each) => /^\s*curl\s/.test(each));
  if (isImport && args[1] === "curl" && !isQuoted) return CURL_IN_QUOTES;
  const [, flag = ""] = /'([^'=]*)/.exec(message) ?? [];
  const isNamed = (names: string) => names.split(" ").includes(flag);
  const [meant] = Object.entries(OTHER_SPELLINGS)
    .find(([own, names]) => has(own) && isNamed(names)) ?? [];
  if (meant && !isImport) return `did you mean ${meant}?`;
  return [...(isImport ? IMPORT_FLAGS : []), ...OTHER_FLAGS]
    .find(([names]) => isNamed(names))?.[1];
}

const CURL_IN_QUOTES =
  "put the command line of curl between quotes: bench import curl 'curl ...'";

/** Flags of other tools that mean something else to a command which imports. */
const IMPORT_FLAGS: typeof OTHER_FLAGS = [
  ["-o --output --output-dir", "did you mean --out?"],
  ["-e --env --env-file --globals -g", "did you mean --environment?"],
  ["--folder --folders", "did you mean --tag? it takes one folder"],
];

/** Sources of an import under other names, and tools that export to one. */
const OTHER_SOURCES: readonly (readonly [names: RegExp, hint: string])[] = [
  [/^(?:swagger|oas|openapi3|api)$/i, "did you mean openapi?"],
  [/^(?:newman|collection)$/i, "did you mean postman?"],
  [/^(?:browser|chrome|firefox|devtools|proxy)$/i, "did you mean har?"],
  [/^(?:bash|sh|shell|script|commands)$/i, "did you mean curl?"],
  [
    /^(?:insomnia|bruno|hoppscotch|thunder|thunderclient)$/i,
    "export the requests there as OpenAPI, HAR or a Postman collection, and import that",
  ],
];

/** Tools whose tests are programs, or have no import of their own. */
const OTHER_TESTS = /^(?:k6|jmeter|jmx|gatling|locust|artillery|hurl)$/i;

function hintOf(
  code: string,
  command: Command,
  args: readonly string[],
): string {
  const [first = "", from = ""] = args;
  const unknown = args.map((each) => each.split("=")[0]!)
    .filter((each) =>
      !command.options.some(({ short, long }) =>
        each === short || each === long
      )
    );
  if (
    code === "commander.unknownOption" &&
    unknown.some((each) => LOAD_FLAGS.has(each))
  ) {
    return "load is said by the flow's `profile`, or by --vus, --ramp, --hold, --iterations, --rate and --threshold of `bench run`";
  }
  if (code === MISSING_TARGET) {
    return "the target file says where a run may go: give its path, or its name in targets/";
  }
  if (command.name() === "compare" && !args.includes("--with")) {
    return "the runs to compare with follow --with: bench compare <run> --with <run>";
  }
  const other = command.name() === "import" &&
    OTHER_SOURCES.find(([names]) => names.test(from));
  if (other) return other[1];
  if (
    command.name() === "import" && OTHER_TESTS.test(from)
  ) {
    return "record what the test sends as a HAR file, through a browser or a proxy: bench import har <file>";
  }
  return code === "commander.unknownCommand" &&
      /\.(?:ya?ml|json|py)$/.test(first)
    ? `to run it: bench run ${first} --target <target>`
    : `see ${command.parent ? "bench " : ""}${command.name()} --help`;
}
