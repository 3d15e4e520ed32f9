import {
  type Argument,
  type Command,
  InvalidArgumentError,
  Option as Flag,
} from "commander";
import { absolutePath } from "../../lib/base/values/paths.ts";
import type { Console } from "../terminal/console.ts";
import { type DiagnosticsForm, failWith } from "../terminal/errors.ts";
import type { Kind, Option, Options } from "./option.ts";
import { readEnvFile } from "../inputs/env_file.ts";
import { durationHint, parseDuration } from "../../lib/base/values/duration.ts";

/** A command of the program. */
export interface CommandSpec {
  readonly name: string;
  readonly about: string;
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
// deno-lint-ignore no-explicit-any -- the command's arguments, then the options' FlagsOf
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
  const command = program.command(spec.name).description(spec.about);
  for (const each of spec.arguments ?? []) command.addArgument(each);
  for (const [key, option] of Object.entries(options)) {
    const flag = flagOf(key, option);
    command.addOption(flag);
    if (option.kind.type !== "texts") refuseRepeated(command, flag);
  }
  const count = command.registeredArguments.length;
  command
    .hook("preAction", (_, action) => {
      refuseMissing(action, options);
      refuseSameFile(action, options);
    })
    .action((...given) =>
      start(async (console) => {
        const { diagnostics = "text" }: { diagnostics?: DiagnosticsForm } =
          given[count];
        try {
          if ("envFile" in given[count]) readEnvFile(given[count].envFile);
          const body = await spec.load();
          return await body(...given.slice(0, count + 1), console, program);
        } catch (error) {
          return failWith(error, console, diagnostics);
        }
      })
    );
}

/** The code of the error that `--target` is missing. */
export const MISSING_TARGET = "bench.missing.target";

/** Not `requiredOption`: that would hide that `--traget` is misspelt. */
function refuseMissing(command: Command, options: Options): void {
  const given = command.opts();
  for (const [key, option] of Object.entries(options)) {
    const flag = flagOf(key, option);
    const other = option.needs && flagOf(option.needs, options[option.needs]!);
    if (
      other && !(other.attributeName() in given) &&
      command.getOptionValueSource(flag.attributeName()) === "cli"
    ) command.error(`error: ${flag.long} needs ${other.flags}`);
    if (!option.needed) continue;
    if (flag.attributeName() in given) continue;
    command.error(`error: required option '${flag.flags}' not specified`, {
      code: `bench.missing.${key}`,
    });
  }
}

/** The library would keep the last of several values. A flag without one may be repeated. */
export function refuseRepeated(command: Command, flag: Flag): void {
  if (!flag.required) return;
  let isGiven = false;
  command.on(`option:${flag.name()}`, () => {
    if (isGiven) {
      command.error(
        `error: option '${flag.flags}' is given more than once: it takes one value`,
      );
    }
    isGiven = true;
  });
}

/** Two results in one file: the later one would be written over the other. */
function refuseSameFile(command: Command, options: Options): void {
  const writers = new Map<string, string>();
  for (const [key, option] of Object.entries(options)) {
    if (!option.writes) continue;
    const flag = flagOf(key, option);
    const path: string | undefined = command.opts()[flag.attributeName()];
    if (!path || path.startsWith("/dev/")) continue;
    const other = writers.get(absolutePath(path));
    if (other !== undefined) {
      command.error(
        `error: ${other} and ${flag.long} name the same file, ${
          JSON.stringify(path)
        }`,
      );
    }
    writers.set(absolutePath(path), flag.long!);
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
  const { kind, value, about, fallback, conflicts, group } = option;
  const flag = new Flag(
    flagText(key, option),
    option.needed && kind.type !== "off" ? `${about} (required)` : about,
  );
  if (kind.type === "words") flag.choices(kind.words);
  else if (value !== undefined && !value.endsWith("...")) {
    flag.argParser((text, before) => parseValue(kind, text, before));
  }
  if (conflicts) flag.conflicts(conflicts);
  if (group) flag.helpGroup(`${group}:`);
  return fallback === undefined
    ? flag
    : flag.default(parseValue(kind, fallback), fallback);
}

/**
 * The value of an option, from the text of a command line.
 *
 * @param before what the same flag gave before
 * @throws {InvalidArgumentError} that says what it must be
 */
export function parseValue(
  kind: Kind,
  text: string,
  before?: unknown,
): unknown {
  switch (kind.type) {
    case "texts":
      return [...before as string[] ?? [], text];
    case "whole":
      return whole(text, kind.min, kind.max);
    case "positive":
      return positive(text);
    case "percentage":
      return percentage(text);
    case "duration":
      return duration(text, kind.least);
    case "own":
      return kind.read(text);
    case "words":
    case "text":
    case "switch":
    case "off":
      return text;
    default:
      return kind satisfies never;
  }
}

function whole(text: string, min: number, max: number): number {
  const value = Number(text);
  if (/^-?\d+$/.test(text) && value >= min && value <= max) return value;
  throw mustBe(`a whole number from ${min} to ${max}`, text);
}

function positive(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw mustBe("a number above 0", text);
}

function percentage(text: string): number {
  const [, digits] = /^(\d+(?:\.\d+)?)\s*%$/.exec(text) ?? [];
  const value = Number(digits) / 100;
  if (value > 0 && value <= 1) return value;
  const number = Number(/^\d*\.?\d+$/.exec(text)?.[0] ?? 0);
  const share = number < 1 ? `${Number((number * 100).toFixed(6))}% or ` : "";
  const meant = number > 0 && number <= 100
    ? `\n(Did you mean ${share}${text}%?)`
    : "";
  const { message } = mustBe("a percentage above 0% and up to 100%", text);
  throw new InvalidArgumentError(message + meant);
}

/** In microseconds. */
function duration(text: string, least: string): number {
  let us: number;
  try {
    us = parseDuration(text);
  } catch (error) {
    const hint = durationHint(text);
    // As Commander writes what it suggests.
    const meant = hint ? `\n(D${hint.slice(1)})` : "";
    throw new InvalidArgumentError(`${(error as Error).message}.${meant}`);
  }
  if (us >= parseDuration(least)) return us;
  throw new InvalidArgumentError(
    `It must be ${least} or longer, but it is ${text}.`,
  );
}

/** The usage error about a text that is something else. */
export function mustBe(what: string, text: string): InvalidArgumentError {
  return new InvalidArgumentError(
    `It must be ${what}, but it is ${JSON.stringify(text)}.`,
  );
}
