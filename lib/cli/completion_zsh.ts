import type { FlagOutline, ProgramOutline } from "./completion_outline.ts";

/** A zsh script for a folder of `$fpath`, as `_bench`. */
export function zshScript({ flags, commands }: ProgramOutline): string {
  const about = commands.map(({ name, about }) =>
    `    ${quoted(`${name}:${about.replaceAll(":", "\\:")}`)}\n`
  ).join("");
  const cases = commands.map(({ name, flags, places }) => {
    const specs = [
      ...flags.map(flagSpec),
      ...places.map((words, index) =>
        quoted(`${index + 1}:argument:${action(words)}`)
      ),
    ];
    return `    ${name}) _arguments ${specs.join(" \\\n      ")} ;;\n`;
  }).join("");
  return `#compdef bench
# zsh completion of bench: bench completions zsh > <a folder of $fpath>/_bench
_bench() {
  local context state state_descr line
  typeset -A opt_args
  local -a commands
  commands=(
${about}  )
  _arguments -C ${flags.map(flagSpec).join(" \\\n    ")} \\
    '1:command:->command' '*::argument:->arguments'
  case $state in
  command) _describe command commands ;;
  arguments)
    case $line[1] in
${cases}    esac ;;
  esac
}
if [ "$funcstack[1]" = _bench ]; then _bench "$@"; else compdef _bench bench; fi
`;
}

function flagSpec({ long, short, about, value, words }: FlagOutline): string {
  const text = `[${about.replaceAll(/[[\]\\:]/g, "\\$&")}]`;
  const rest = value === undefined
    ? ""
    : `:${value.replaceAll(":", "\\:")}:${action(words)}`;
  return short
    ? `'(${short} ${long})'{${short},${long}}${quoted(text + rest)}`
    : quoted(long + text + rest);
}

function action(words: readonly string[]): string {
  return words.length === 0 ? "_files" : `(${words.join(" ")})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
