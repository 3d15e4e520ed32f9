import {
  type FlagOutline,
  flagsWithValue,
  FLOW_ENDINGS,
  type Place,
  type ProgramOutline,
  spellings,
  TARGET_ENDINGS,
} from "./outline.ts";

/*
 * Bash leaves quoting to whoever completes. So paths are left to readline where
 * that is possible (`compopt`), and what else is offered are words of letters,
 * digits, `-` and `_`. The bash 3.2 of macOS has no `compopt`: it offers files
 * wherever nothing else is offered.
 */
const HELP_FUNCTIONS =
  `# Files with one of these endings, and folders; where there are none, any file.
_bench_files() {
  local ending name
  for ending; do
    while IFS= read -r name; do
      COMPREPLY+=("$name")
    done < <(compgen -f -X "!*.$ending" -- "$cur")
  done
  compopt -o filenames -o plusdirs -o default 2>/dev/null
}

# Names of the targets in \`targets/\`, here and up to the root of the repository.
_bench_targets() {
  local at=$PWD each
  while
    for each in "$at"/targets/*.yaml "$at"/targets/*.yml; do
      each=\${each##*/}
      case $each in
      "$cur"*) [ "\${each%%.*}" = "*" ] || COMPREPLY+=("\${each%.*}") ;;
      esac
    done
    [ -n "$at" ] && [ ! -e "$at/.git" ]
  do at=\${at%/*}; done
}

# Ids of the runs in the store, the latest first; where there are none, folders.
_bench_runs() {
  local store=\${BENCH_STORE:-.bench/runs} each i
  for ((i = 1; i < COMP_CWORD - 1; i++)); do
    if [ "\${COMP_WORDS[i]}" = --store ]; then
      store=\${COMP_WORDS[i + 1]}
      [ "$store" != = ] || store=\${COMP_WORDS[i + 2]}
    fi
  done
  for each in "\${store/#\\~/$HOME}/$cur"*/meta.json; do
    each=\${each%/meta.json}
    [ ! -e "$each/meta.json" ] || COMPREPLY=("\${each##*/}" "\${COMPREPLY[@]}")
  done
  compopt -o nosort 2>/dev/null
  [ -n "\${COMPREPLY[*]}" ] || compopt -o dirnames 2>/dev/null
}
`;

/** A bash script, to be read by `source` or `eval`. */
export function bashScript(program: ProgramOutline): string {
  const { flags, commands } = program;
  const places = commands.flatMap(({ name, places }) =>
    places.map((place, index) => line(`"${name} ${index}"`, offer(place)))
  );
  return `# bash completion of bench: eval "$(bench completions bash)" in ~/.bashrc
${HELP_FUNCTIONS}
_bench() {
  local cur=\${COMP_WORDS[COMP_CWORD]} command="" flag="" joined="" place=0 word
  COMPREPLY=()
  # bash makes \`=\` and \`:\` words of their own, and what follows them.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    case $word in
    = | :) joined=yes; continue ;;
    esac
    if [ -n "$joined$flag" ]; then joined="" flag=""; continue; fi
    case $word in
    ${flagsWithValue(program).join(" | ")}) flag=$word ;;
    -*) ;;
    *) if [ -z "$command" ]; then command=$word; else place=$((place + 1)); fi ;;
    esac
  done
  [ "$cur" != = ] || cur=""
  cur=\${cur#[\\"\\']}
  if [ -n "$flag" ]; then
    case "$command $flag" in
${valueLines("", flags)}${
    commands.map((each) => valueLines(each.name, each.flags)).join("")
  }    esac
  elif [ "\${cur#-}" != "$cur" ]; then
    case "$command" in
${flagLine('""', flags)}${
    commands.map((each) => flagLine(each.name, each.flags)).join("")
  }    esac
  else
    case "$command $place" in
${line('" 0"', words(commands.map((each) => each.name)))}${
    places.join("")
  }    esac
  fi
}
if type compopt >/dev/null 2>&1; then complete -F _bench bench
else complete -o default -F _bench bench; fi
`;
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

/** What sets COMPREPLY for a place; nothing where nothing can be known. */
function offer(place: Place): string {
  switch (place.kind) {
    case "words":
      return words(place.words);
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
