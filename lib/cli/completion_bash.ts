import type { FlagOutline, ProgramOutline } from "./completion_outline.ts";

/**
 * A bash script; where it offers nothing, bash offers files. Values are words of
 * letters, digits and `-`, so nothing needs quoting.
 */
export function bashScript({ flags, commands }: ProgramOutline): string {
  const names = commands.map((each) => each.name);
  const spellings = (each: readonly FlagOutline[]) =>
    each.flatMap(({ long, short }) => short ? [short, long] : [long]);
  const values = (command: string, each: readonly FlagOutline[]) =>
    each.filter(({ value }) => value !== undefined).map((flag) => {
      const pattern = spellings([flag]).map((word) => `"${command} ${word}"`)
        .join("|");
      return `    ${pattern}) ${offer(flag.words)}; return ;;\n`;
    }).join("");
  const argument = (name: string, places: readonly (readonly string[])[]) =>
    places.some((words) => words.length > 0)
      ? `    ${name}) ${offer(places.flat())} ;;\n`
      : "";
  return `# bash completion of bench: source <(bench completions bash)
_bench() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]}
  local command="" word
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    case "$word" in
    ${names.join("|")}) command=$word; break ;;
    esac
  done
  case "$command $prev" in
${values("", flags)}${
    commands.map((each) => values(each.name, each.flags)).join("")
  }  esac
  if [[ $cur == -* ]]; then
    case "$command" in
    "") ${offer(spellings(flags))} ;;
${
    commands.map((each) =>
      `    ${each.name}) ${offer(spellings(each.flags))} ;;\n`
    ).join("")
  }    esac
    return
  fi
  case "$command" in
    "") ${offer(names)} ;;
${commands.map((each) => argument(each.name, each.places)).join("")}  esac
}
complete -o default -F _bench bench
`;
}

function offer(words: readonly string[]): string {
  return words.length === 0
    ? ":"
    : `COMPREPLY=($(compgen -W "${words.join(" ")}" -- "$cur"))`;
}
