import {
  type FlagOutline,
  FLOW_ENDINGS,
  type Place,
  type ProgramOutline,
  TARGET_ENDINGS,
} from "./outline.ts";

const HELP_FUNCTIONS =
  `# Names of the targets in \`targets/\`, here and up to the root of the repository;
# where none fits, files.
_bench_targets() {
  local at=$PWD expl
  local -a names
  while true; do
    names+=($at/targets/*.(${TARGET_ENDINGS.join("|")})(N:t:r))
    [[ -n $at && ! -e $at/.git ]] || break
    at=\${at%/*}
  done
  _wanted targets expl target compadd -a names ||
    _files -g '${glob(TARGET_ENDINGS)}'
}

# Ids of the runs in the store, the latest first; where none fits, folders.
_bench_runs() {
  local store=\${opt_args[--store]:-\${BENCH_STORE:-.bench/runs}} expl
  local -a ids
  ids=(\${~store}/*/meta.json(NOn:h:t))
  _wanted -V runs expl run compadd -a ids || _files -/
}
`;

/** A zsh script, to be sourced or put into a folder of `$fpath`. */
export function zshScript({ flags, commands }: ProgramOutline): string {
  const about = commands.map(({ name, about }) =>
    `    ${quoted(`${name}:${about.replaceAll(":", "\\:")}`)}\n`
  ).join("");
  const cases = commands.map(({ name, flags, places }) => {
    const specs = [
      ...flags.map(flagSpec),
      ...places.map((place, index) =>
        quoted(`${index + 1}:${called(place)}:${action(place)}`)
      ),
    ];
    return `    ${name}) _arguments ${specs.join(" \\\n      ")} ;;\n`;
  }).join("");
  return `#compdef bench
# zsh completion of bench: bench completions zsh > <a folder of $fpath>/_bench
${HELP_FUNCTIONS}
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

function flagSpec({ long, short, about, value }: FlagOutline): string {
  const text = `[${about.replaceAll(/[[\]\\:]/g, "\\$&")}]`;
  const rest = value === undefined
    ? text
    : `${text}:${value.name.replaceAll(":", "\\:")}:${action(value)}`;
  const sign = value === undefined ? "" : "=";
  return short
    ? `'(${short} ${long})'{${short},${long}${sign}}${quoted(rest)}`
    : quoted(long + sign + rest);
}

function called({ kind }: Place): string {
  return kind === "words" ? "argument" : kind;
}

/** What offers the words of a place; the name alone where nothing can be known. */
function action(place: Place): string {
  switch (place.kind) {
    case "words":
      return `(${place.words.join(" ")})`;
    case "file":
      return "_files";
    case "folder":
      return "_files -/";
    case "flow":
      return `_files -g "${glob(FLOW_ENDINGS)}"`;
    case "target":
      return "_bench_targets";
    case "run":
      return "_bench_runs";
    case "text":
      return " ";
  }
}

/** Files, or links to files, with one of these endings. */
function glob(endings: readonly string[]): string {
  return `*.(${endings.join("|")})(-.)`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
