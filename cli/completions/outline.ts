import type { Argument, Command, Option } from "commander";

/** What may be written somewhere, as a shell completes it. */
export type Completion =
  | { readonly kind: "words"; readonly words: readonly string[] }
  /** `text` is what no shell can know, such as a number. */
  | {
    readonly kind: "file" | "folder" | "flow" | "target" | "run" | "text";
  };

/** One flag as a shell completes it. */
export interface FlagOutline {
  /** Such as `--mode`. */
  readonly long: string;
  /** Such as `-q`. */
  readonly short?: string;
  readonly about: string;
  /** Its value; absent on a switch. */
  readonly value?: Completion & { readonly name: string };
}

/** One command as a shell completes it. */
interface CommandOutline {
  readonly name: string;
  readonly about: string;
  readonly flags: readonly FlagOutline[];
  /** Its arguments, in order. */
  readonly operands: readonly Completion[];
}

/** What there is to complete, read off the program itself. */
export interface ProgramOutline {
  readonly flags: readonly FlagOutline[];
  readonly commands: readonly CommandOutline[];
}

/** By the name between the angle brackets of `--help`; of any other no shell knows more. */
const KINDS: Readonly<Record<string, Exclude<Completion["kind"], "words">>> = {
  file: "file",
  dir: "folder",
  flow: "flow",
  "name|file": "target",
  run: "run",
  source: "file",
};

/** Reads a program's commands, flags and what they take. */
export function outlineOf(program: Command): ProgramOutline {
  return {
    flags: flagsOf(program),
    commands: program.createHelp().visibleCommands(program)
      .filter((each) => each.name() !== "help")
      .map((command) => ({
        name: command.name(),
        about: command.description(),
        flags: flagsOf(command),
        operands: command.registeredArguments.map((argument) =>
          completionOf(argument.name(), argument)
        ),
      })),
  };
}

/**
 * A script with its `@slots@` filled.
 *
 * @throws {Error} when it has a slot that is not given, or lacks one that is
 */
export function filled(
  script: string,
  slots: Readonly<Record<string, string>>,
): string {
  const unused = new Set(Object.keys(slots));
  const text = script.replaceAll(/@([a-z_]+)@/g, (_, name: string) => {
    unused.delete(name);
    if (slots[name] === undefined) throw new Error(`No text for @${name}@`);
    return slots[name];
  });
  if (unused.size > 0) throw new Error(`No slot for ${[...unused]}`);
  return text;
}

function flagsOf(command: Command): FlagOutline[] {
  return command.createHelp().visibleOptions(command).flatMap((option) =>
    option.long ? [flagOf(option, option.long)] : []
  );
}

function flagOf(option: Option, long: string): FlagOutline {
  const [, value] = /<(.+?)(?:\.{3})?>/.exec(option.flags) ?? [];
  return {
    long,
    ...(option.short && { short: option.short }),
    about: option.description,
    ...(value && { value: { name: value, ...completionOf(value, option) } }),
  };
}

function completionOf(
  name: string,
  { argChoices }: Argument | Option,
): Completion {
  if (argChoices) return { kind: "words", words: argChoices };
  return { kind: KINDS[name] ?? "text" };
}
