import { Command, CommanderError, Option } from "commander";
import { buildIdentity } from "../lib/base/values/build.ts";
import {
  type ColorChoice,
  type Console,
  systemConsole,
} from "./terminal/console.ts";
import { failWith } from "./terminal/errors.ts";
import { COMMANDS } from "./commands.ts";
import { addCommand } from "./options/command.ts";

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
  const program = describe((of) => {
    code = of;
  });
  try {
    await program.parseAsync(ownArguments(args), { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return failWith(error, systemConsole("auto"), "text");
  }
}

/** `deno task demo -- --stress` hands its own `--` on. */
function ownArguments(args: readonly string[]): string[] {
  return args[0] === "demo" && args[1] === "--"
    ? ["demo", ...args.slice(2)]
    : [...args];
}

/** @param end takes the exit code */
function describe(end: (code: number) => void): Command {
  const program = new Command("bench")
    .description(
      "Runs a scripted flow of requests: a functional check, then a load test.",
    )
    .version(
      buildIdentity("bench"),
      "-V, --version",
      "print the version, the commit and how it was built",
    )
    .exitOverride()
    .showSuggestionAfterError()
    .addOption(
      new Option("--color <when>", "colour in the output")
        .choices(["auto", "always", "never"]).default("auto"),
    )
    .addHelpText("after", EXAMPLES);
  for (const each of COMMANDS) {
    addCommand(program, each, async (body) => {
      const { color } = program.opts<{ color: ColorChoice }>();
      end(await body(systemConsole(color)));
    });
  }
  reportUsageErrors(program, systemConsole("auto"));
  return program;
}

/** What people who know other load tools type; here the flow says it. */
const LOAD_FLAG =
  /^unknown option '(?:-[diu]|--(?:vus|users|duration|iterations|stages?|rps|rate|arrival-rate|hold|ramp|thresholds?))'/;
const FLOW_AS_COMMAND = /^unknown command '(.+\.(?:ya?ml|json|py))'/;
const NO_TARGET = /^required option '--target/;

/** Errors in the command line look like all others: what is wrong, and the way out. */
function reportUsageErrors(program: Command, console: Console): void {
  const own = (command: Command, name: string) =>
    command.configureOutput({
      writeErr: (text) => console.err(text),
      outputError: (said) => console.err(usageError(said, name)),
    });
  own(program, program.name());
  for (const command of program.commands) {
    own(command, `${program.name()} ${command.name()}`);
  }
}

/**
 * @param said what the library says: `error: ...`, perhaps with a suggestion in
 *   brackets on a line of its own
 * @param command the command's words, such as `bench run`
 */
function usageError(said: string, command: string): string {
  const [first = "", second] = said.trim().split("\n");
  const message = first.replace(/^error: /, "");
  const meant = second && /^\(Did you mean (.+)\?\)$/.exec(second)?.[1];
  const hint = meant ? `did you mean ${meant}?` : hintOf(message, command);
  return `bench: error: ${message}\n  = ${hint}\n`;
}

function hintOf(message: string, command: string): string {
  if (LOAD_FLAG.test(message)) {
    return "load is said by the flow's `profile`, or by --vus, --ramp, --hold, --iterations, --rate and --threshold of `bench run`";
  }
  if (NO_TARGET.test(message)) {
    return "the target file says where a run may go: give its path, or its name in targets/";
  }
  const flow = FLOW_AS_COMMAND.exec(message)?.[1];
  return flow === undefined
    ? `see ${command} --help`
    : `to run it: bench run ${flow} --target <target>`;
}
