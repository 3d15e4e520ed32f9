import type { Argument, Command, Option } from "commander";

/** One flag as a shell completes it. */
export interface FlagOutline {
  /** Such as `--mode`. */
  readonly long: string;
  /** Such as `-q`. */
  readonly short?: string;
  readonly about: string;
  /** Name of its value; absent on a switch. */
  readonly value?: string;
  /** The words its value can be; empty when anything, such as a file, may follow. */
  readonly words: readonly string[];
}

/** One command as a shell completes it. */
export interface CommandOutline {
  readonly name: string;
  readonly about: string;
  readonly flags: readonly FlagOutline[];
  /** The words of its arguments, by place; an empty list stands for files. */
  readonly places: readonly (readonly string[])[];
}

/** What there is to complete, read off the program itself. */
export interface ProgramOutline {
  readonly flags: readonly FlagOutline[];
  readonly commands: readonly CommandOutline[];
}

/** Reads a program's commands, flags and the words they take. */
export function outlineOf(program: Command): ProgramOutline {
  return {
    flags: flagsOf(program),
    commands: program.createHelp().visibleCommands(program)
      .filter((each) => each.name() !== "help")
      .map((command) => ({
        name: command.name(),
        about: command.description(),
        flags: flagsOf(command),
        places: command.registeredArguments.map(wordsOf),
      })),
  };
}

function flagsOf(command: Command): FlagOutline[] {
  return command.createHelp().visibleOptions(command).flatMap((option) =>
    option.long ? [flagOf(option, option.long)] : []
  );
}

function flagOf(option: Option, long: string): FlagOutline {
  const value = /<(.+)>|\[(.+)\]/.exec(option.flags);
  return {
    long,
    ...(option.short && { short: option.short }),
    about: option.description,
    ...(value && { value: value[1] ?? value[2]! }),
    words: wordsOf(option),
  };
}

function wordsOf({ argChoices }: Argument | Option): readonly string[] {
  return argChoices ?? [];
}
