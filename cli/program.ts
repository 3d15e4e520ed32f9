import { Command, CommanderError, Option } from "commander";
import { buildIdentity } from "../lib/base/values/build.ts";
import {
  type ColorChoice,
  type Console,
  systemConsole,
} from "./terminal/console.ts";
import { failWith } from "./terminal/fail.ts";
import { COMMANDS } from "./commands.ts";
import { addCommand } from "./options/command.ts";
import { tellUsageErrors } from "./terminal/usage_error.ts";

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
  const program = describe((run) => async (console) => {
    code = await run(console);
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

type Body = (console: Console) => Promise<number>;
type Bind = (body: Body) => (console: Console) => Promise<void>;

function describe(bind: Bind): Command {
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
  const start = (body: Body) => {
    const { color } = program.opts<{ color: ColorChoice }>();
    return bind(body)(systemConsole(color));
  };
  for (const each of COMMANDS) addCommand(program, each, start);
  tellUsageErrors(program, systemConsole("auto"));
  return program;
}
