import script from "./bench.bash" with { type: "text" };
import {
  type Completion,
  filled,
  type FlagOutline,
  flagsWithValue,
  FLOW_ENDINGS,
  type ProgramOutline,
  spellings,
  TARGET_ENDINGS,
} from "./outline.ts";

/*
 * Bash leaves quoting to the completion function. So paths are left to readline where
 * that is possible (`compopt`), and what else is offered are words of letters,
 * digits, `-` and `_`. The bash 3.2 of macOS has no `compopt`: it offers files
 * wherever nothing else is offered.
 */

/** A bash script, to be read by `source` or `eval`. */
export function bashScript(program: ProgramOutline): string {
  const { flags, commands } = program;
  const operands = commands.flatMap(({ name, operands }) =>
    operands.map((operand, index) => line(`"${name} ${index}"`, offer(operand)))
  );
  return filled(script, {
    flags_with_value: flagsWithValue(program).join(" | "),
    values: [{ name: "", flags }, ...commands]
      .map((each) => valueLines(each.name, each.flags)).join(""),
    flags: [{ name: '""', flags }, ...commands]
      .map((each) => flagLine(each.name, each.flags)).join(""),
    operands: line('" 0"', words(commands.map((each) => each.name))) +
      operands.join(""),
  });
}

function valueLines(command: string, flags: readonly FlagOutline[]): string {
  return flags.map((flag) => {
    const pattern = spellings(flag).map((each) => `"${command} ${each}"`);
    return flag.value ? line(pattern.join(" | "), offer(flag.value)) : "";
  }).join("");
}

function flagLine(pattern: string, flags: readonly FlagOutline[]): string {
  return line(pattern, words(flags.flatMap(spellings)));
}

function line(pattern: string, action: string): string {
  return action === "" ? "" : `    ${pattern}) ${action} ;;\n`;
}

/** What sets COMPREPLY for an operand or a value; nothing where nothing can be known. */
function offer(operand: Completion): string {
  switch (operand.kind) {
    case "words":
      return words(operand.words);
    case "file":
      return "compopt -o default 2>/dev/null";
    case "folder":
      return "compopt -o dirnames 2>/dev/null";
    case "flow":
      return `_bench_files ${FLOW_ENDINGS.join(" ")}`;
    case "target":
      return `_bench_targets; [ -n "\${COMPREPLY[*]}" ] || _bench_files ${
        TARGET_ENDINGS.join(" ")
      }`;
    case "run":
      return "_bench_runs";
    case "text":
      return "";
  }
}

function words(each: readonly string[]): string {
  return `COMPREPLY=($(compgen -W "${each.join(" ")}" -- "$cur"))`;
}
