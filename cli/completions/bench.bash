# bash completion of bench: eval "$(bench completions bash)" in ~/.bashrc
# Files with one of these endings, and folders; where there are none, any file.
_bench_files() {
  local ending name
  for ending; do
    while IFS= read -r name; do
      COMPREPLY+=("$name")
    done < <(compgen -f -X "!*.$ending" -- "$cur")
  done
  compopt -o filenames -o plusdirs -o default 2>/dev/null
}

# Names of the targets in `targets/`, here and up to the root of the repository.
_bench_targets() {
  local at=$PWD each
  while
    for each in "$at"/targets/*.yaml "$at"/targets/*.yml; do
      each=${each##*/}
      case $each in
      "$cur"*) [ "${each%%.*}" = "*" ] || COMPREPLY+=("${each%.*}") ;;
      esac
    done
    [ -n "$at" ] && [ ! -e "$at/.git" ]
  do at=${at%/*}; done
}

# Ids of the runs in the store, the latest first; where there are none, folders.
_bench_runs() {
  local store=${BENCH_STORE:-.bench/runs} each i
  for ((i = 1; i < COMP_CWORD - 1; i++)); do
    if [ "${COMP_WORDS[i]}" = --store ]; then
      store=${COMP_WORDS[i + 1]}
      [ "$store" != = ] || store=${COMP_WORDS[i + 2]}
    fi
  done
  for each in "${store/#\~/$HOME}/$cur"*/meta.json; do
    each=${each%/meta.json}
    [ ! -e "$each/meta.json" ] || COMPREPLY=("${each##*/}" "${COMPREPLY[@]}")
  done
  compopt -o nosort 2>/dev/null
  case latest in
    "$cur"*)
      for each in "${store/#\~/$HOME}"/*/meta.json; do
        [ ! -e "$each" ] || COMPREPLY=(latest "${COMPREPLY[@]}")
        break
      done
      ;;
  esac
  [ -n "${COMPREPLY[*]}" ] || compopt -o dirnames 2>/dev/null
}

# Names or tags of the flows in the folders on the line, else in this one.
_bench_words() {
  local key=$1 before="" each
  local -a at=()
  for each in "${COMP_WORDS[@]:2}"; do
    [ ! -d "$each" ] || [ "$each" = "$cur" ] || at+=("$each/")
  done
  [ "${#at[@]}" -gt 0 ] || at=(.)
  [ "$key" != tags ] || [ "$cur" = "${cur##*,}" ] || before=${cur%,*},
  COMPREPLY=($(compgen -P "$before" -W "$(find "${at[@]}" -name '.?*' -prune -o -name node_modules -prune -o \
    -type f -name '*.bench.y*ml' -exec awk -v key="$key" '@words_of_key@' {} + 2>/dev/null)" -- "${cur##*,}"))
}

_bench() {
  local cur=${COMP_WORDS[COMP_CWORD]} command="" flag="" joined="" place=0 word
  COMPREPLY=()
  # bash makes `=` and `:` words of their own, and what follows them.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    case $word in
    = | :) joined=yes; continue ;;
    esac
    if [ -n "$joined$flag" ]; then joined="" flag=""; continue; fi
    case $word in
    @flags_with_value@) flag=$word ;;
    -*) ;;
    *) if [ -z "$command" ]; then command=$word; else place=$((place + 1)); fi ;;
    esac
  done
  [ "$cur" != = ] || cur=""
  cur=${cur#[\"\']}
  if [ -n "$flag" ]; then
    case "$command $flag" in
@values@    esac
  elif [ "${cur#-}" != "$cur" ]; then
    case "$command" in
@flags@    esac
  else
    case "$command $place" in
@operands@    esac
  fi
}
if type compopt >/dev/null 2>&1; then complete -F _bench bench
else complete -o default -F _bench bench; fi
