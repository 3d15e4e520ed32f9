import { type Argument, type Command, Option as Flag } from "commander";
import type { Console } from "../terminal/console.ts";
import { type DiagnosticsForm, failWith } from "../terminal/errors.ts";
import type { Option, Options } from "./option.ts";
import { parseValue } from "./parse_value.ts";

/** A command of the program. */
export interface CommandSpec {
  /** Its name and its arguments: `compare <run>`. */
  readonly usage: string;
  readonly about: string;
  /** Arguments that `usage` cannot say everything of. */
  readonly arguments?: readonly Argument[];
  readonly options?: Options;
  /**
   * Its code, which is loaded only when it is called: so `--help` and usage
   * errors print at once.
   */
  readonly load: () => Promise<Body>;
}

/**
 * Takes arguments, options, the console and the program; gives the exit code. What it
 * throws is printed.
 */
// deno-lint-ignore no-explicit-any -- the arguments that the usage says, then the options' FlagsOf
type Body = (...given: any[]) => Promise<number> | number;

/**
 * Adds a command to the program.
 *
 * @param start runs a command's body with the console it writes to
 */
export function addCommand(
  program: Command,
  spec: CommandSpec,
  start: (
    body: (console: Console) => Promise<number>,
  ) => Promise<void>,
): void {
  const { options = {} } = spec;
  const command = program.command(spec.usage).description(spec.about);
  for (const each of spec.arguments ?? []) command.addArgument(each);
  for (const [key, option] of Object.entries(options)) {
    command.addOption(flagOf(key, option));
  }
  const count = command.registeredArguments.length;
  command
    .hook("preAction", (_, action) => refuseMissing(action, options))
    .action((...given) =>
      start(async (console) => {
        const { diagnostics = "text" }: { diagnostics?: DiagnosticsForm } =
          given[count];
        try {
          const body = await spec.load();
          return await body(...given.slice(0, count + 1), console, program);
        } catch (error) {
          return failWith(error, console, diagnostics);
        }
      })
    );
}

/** Not `requiredOption`: that would hide that `--traget` is misspelt. */
function refuseMissing(command: Command, options: Options): void {
  for (const [key, option] of Object.entries(options)) {
    const flag = flagOf(key, option);
    if (!option.needed || flag.attributeName() in command.opts()) continue;
    command.error(`error: required option '${flag.flags}' not specified`);
  }
}

/** `-o, --output <file>` */
export function flagText(key: string, { kind, value, short }: Option): string {
  const off = kind.type === "off" ? "no-" : "";
  const name = `--${off}${key.replaceAll("_", "-")}`;
  const long = value === undefined ? name : `${name} <${value}>`;
  return short === undefined ? long : `${short}, ${long}`;
}

/** An option as the library of the command line has it. */
function flagOf(key: string, option: Option): Flag {
  const { kind, value, about, fallback, conflicts } = option;
  const flag = new Flag(
    flagText(key, option),
    option.needed && kind.type !== "off" ? `${about} (required)` : about,
  );
  if (kind.type === "words") flag.choices(kind.words);
  else if (value !== undefined && !value.endsWith("...")) {
    flag.argParser((text, before) => parseValue(kind, text, before));
  }
  if (conflicts) flag.conflicts(conflicts);
  return fallback === undefined
    ? flag
    : flag.default(parseValue(kind, fallback), fallback);
}
