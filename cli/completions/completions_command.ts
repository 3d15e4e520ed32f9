import type { Argument, Command, Option } from "commander";
import { shellQuoted } from "../../lib/base/text/display.ts";
import type { Console } from "../terminal/console.ts";
import bash from "./bench.bash" with { type: "text" };
import fish from "./bench.fish" with { type: "text" };
import zsh from "./bench.zsh" with { type: "text" };

/** The values of an argument, as a shell completes them. */
export type Completion =
  | { readonly kind: "words"; readonly words: readonly string[] }
  /** `text` is what no shell can know, such as a number. */
  | {
    readonly kind:
      | "file"
      | "folder"
      | "flow"
      | "target"
      | "run"
      | "name"
      | "tag"
      | "text";
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

/** The commands and flags to complete, read off the program itself. */
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
  "flow name": "name",
  tag: "tag",
  tags: "tag",
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

const SCRIPTS = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
} as const satisfies Record<string, (program: ProgramOutline) => string>;

/** Prints a completion script made from `program`. Returns the exit code. */
export function completionsCommand(
  shell: keyof typeof SCRIPTS,
  _: unknown,
  console: Console,
  program: Command,
): number {
  console.out(SCRIPTS[shell](outlineOf(program)));
  return 0;
}

/** Endings of the files that `bench run` takes, and of target files. */
const FLOW_ENDINGS = ["yaml", "yml", "json", "py"];
const TARGET_ENDINGS = ["yaml", "yml"];

/**
 * Prints the words of one key (`flow`, `tags`) of the flow files it is given, for
 * awk: on the line of the key and on those after it, up to the next key.
 */
const WORDS_OF_KEY =
  `{ sub(/#.*/, "") } /^[A-Za-z_]/ { on = index($0, key ":") == 1; sub(/^[a-z]+:/, "") }
on { gsub(/[^A-Za-z0-9_-]+/, " "); n = split($0, all, " "); for (i = 1; i <= n; i++) if (all[i] ~ /^[A-Za-z_]/ && !seen[all[i]]++) print all[i] }`;

/** The code that completes a value in a shell's script, by its kind; none where nothing can be known. */
type Offers = Readonly<Record<Exclude<Completion["kind"], "words">, string>>;

/*
 * Bash leaves quoting to the completion function. So paths are left to readline where
 * that is possible (`compopt`), and what else is offered are words of letters,
 * digits, `-` and `_`. The bash 3.2 of macOS has no `compopt`: it offers files
 * wherever nothing else is offered.
 */
const OF_BASH: Offers = {
  file: "compopt -o default 2>/dev/null",
  folder: "compopt -o dirnames 2>/dev/null",
  flow: `_bench_files ${FLOW_ENDINGS.join(" ")}`,
  target: `_bench_targets; [ -n "\${COMPREPLY[*]}" ] || _bench_files ${
    TARGET_ENDINGS.join(" ")
  }`,
  run: "_bench_runs",
  name: "_bench_words flow",
  tag: "_bench_words tags",
  text: "",
};

/** To be read by `source` or `eval`. */
function bashScript({ flags, commands }: ProgramOutline): string {
  const line = (pattern: string, action: string) =>
    action === "" ? "" : `    ${pattern}) ${action} ;;\n`;
  const words = (each: readonly string[]) =>
    `COMPREPLY=($(compgen -W "${each.join(" ")}" -- "$cur"))`;
  const completing = (value: Completion) =>
    value.kind === "words" ? words(value.words) : OF_BASH[value.kind];
  const all = [{ name: "", flags }, ...commands];
  return filled(bash, {
    flags_with_value: flagsWithValue(all).join(" | "),
    values: all.flatMap(({ name, flags }) =>
      flags.map((flag) => {
        const pattern = spellings(flag).map((each) => `"${name} ${each}"`);
        return flag.value
          ? line(pattern.join(" | "), completing(flag.value))
          : "";
      })
    ).join(""),
    flags: all.map(({ name, flags }) =>
      line(name || '""', words(flags.flatMap(spellings)))
    ).join(""),
    words_of_key: WORDS_OF_KEY,
    operands: line('" 0"', words(commands.map((each) => each.name))) +
      commands.flatMap(({ name, operands }) =>
        operands.map((operand, index) =>
          line(`"${name} ${index}"`, completing(operand))
        )
      ).join(""),
  });
}

/** Every spelling of every flag that a value follows. */
function flagsWithValue(
  all: readonly { readonly flags: readonly FlagOutline[] }[],
): string[] {
  const flags = all.flatMap((each) => each.flags);
  return [...new Set(flags.filter((each) => each.value).flatMap(spellings))];
}

/** `-q --quiet`. */
function spellings({ short, long }: FlagOutline): string[] {
  return short ? [short, long] : [long];
}

const OF_FISH: Offers = {
  file: "-F",
  folder: "-f -a '(__bench_folders)'",
  flow: `-f -a '(__bench_files ${FLOW_ENDINGS.join(" ")})'`,
  target: "-f -a '(__bench_targets)'",
  run: "-f -k -a '(__bench_runs)'",
  name: "-f -a '(__bench_words flow)'",
  tag: "-f -a '(__bench_words tags)'",
  text: "-f",
};

function fishScript({ flags, commands }: ProgramOutline): string {
  const quoted = (text: string) => `'${text.replaceAll(/['\\]/g, "\\$&")}'`;
  const inside = (command: string) =>
    `complete -c bench -n ${quoted(`__bench_in ${command}`)}`;
  const completing = (value: Completion) =>
    value.kind === "words"
      ? `-f -a ${quoted(value.words.join(" "))}`
      : OF_FISH[value.kind];
  const flagLine = (command: string, flag: FlagOutline) =>
    [
      inside(command || "''"),
      ...(flag.short ? [`-s ${flag.short.slice(1)}`] : []),
      `-l ${flag.long.slice(2)}`,
      ...(flag.value ? [`-r ${completing(flag.value)}`] : []),
      `-d ${quoted(flag.about)}`,
    ].join(" ");
  const lines = [
    "complete -c bench -f",
    ...flags.map((flag) => flagLine("", flag)),
    ...commands.map(({ name, about }) =>
      `${inside("''")} -a ${name} -d ${quoted(about)}`
    ),
    ...commands.flatMap(({ name, flags, operands }) => [
      ...flags.map((flag) => flagLine(name, flag)),
      ...operands.map((operand, index) =>
        `${inside(`${name} ${index + 1}`)} ${completing(operand)}`
      ),
    ]),
  ];
  return filled(fish, {
    flags_with_value: flagsWithValue([{ flags }, ...commands]).join(" "),
    target_endings: TARGET_ENDINGS.join(" "),
    words_of_key: WORDS_OF_KEY.replaceAll("\\", "\\\\"),
    completions: lines.join("\n"),
  });
}

/** Files, or links to files, with one of these endings. */
const zshGlob = (endings: readonly string[]) => `*.(${endings.join("|")})(-.)`;

const OF_ZSH: Offers = {
  file: "_files",
  folder: "_files -/",
  flow: `_files -g "${zshGlob(FLOW_ENDINGS)}"`,
  target: "_bench_targets",
  run: "_bench_runs",
  // After a space, `_arguments` adds no words of its own.
  name: " _bench_words flow",
  tag: " _bench_words tags",
  text: " ",
};

/** To be sourced or put into a folder of `$fpath`. */
function zshScript({ flags, commands }: ProgramOutline): string {
  const action = (value: Completion) =>
    value.kind === "words" ? `(${value.words.join(" ")})` : OF_ZSH[value.kind];
  const flagSpec = ({ long, short, about, value }: FlagOutline) => {
    const text = `[${about.replaceAll(/[[\]\\:]/g, "\\$&")}]`;
    const rest = value === undefined
      ? text
      : `${text}:${value.name.replaceAll(":", "\\:")}:${action(value)}`;
    const sign = value === undefined ? "" : "=";
    return short
      ? `'(${short} ${long})'{${short},${long}${sign}}${shellQuoted(rest)}`
      : shellQuoted(long + sign + rest);
  };
  const cases = commands.map(({ name, flags, operands }) => {
    const specs = [
      ...flags.map(flagSpec),
      ...operands.map((operand, index) => {
        const called = operand.kind === "words" ? "argument" : operand.kind;
        return shellQuoted(`${index + 1}:${called}:${action(operand)}`);
      }),
    ];
    return `    ${name}) _arguments ${specs.join(" \\\n      ")} ;;\n`;
  });
  return filled(zsh, {
    target_endings: TARGET_ENDINGS.join("|"),
    target_files: zshGlob(TARGET_ENDINGS),
    words_of_key: WORDS_OF_KEY,
    commands: commands.map(({ name, about }) =>
      `    ${shellQuoted(`${name}:${about.replaceAll(":", "\\:")}`)}\n`
    ).join(""),
    flags: flags.map(flagSpec).join(" \\\n    "),
    cases: cases.join(""),
  });
}
