#compdef bench
# zsh completion of bench: bench completions zsh > <a folder of $fpath>/_bench
# Names of the targets in `targets/`, here and up to the root of the repository;
# where none fits, files.
_bench_targets() {
  local at=$PWD expl
  local -a names
  while true; do
    names+=($at/targets/*.(@target_endings@)(N:t:r))
    [[ -n $at && ! -e $at/.git ]] || break
    at=${at%/*}
  done
  _wanted targets expl target compadd -a names ||
    _files -g '@target_files@'
}

# Ids of the runs in the store, the latest first; where none fits, folders.
_bench_runs() {
  local store=${opt_args[--store]:-${BENCH_STORE:-.bench/runs}} expl
  local -a ids
  ids=(${~store}/*/meta.json(NOn:h:t))
  (( $#ids )) && ids=(latest $ids)
  _wanted -V runs expl run compadd -a ids || _files -/
}

# Names or tags of the flows in the folders on the line, else in this one.
_bench_words() {
  local key=$1 expl
  local -a at names
  at=(${^words[2,-1]}(N-/))
  (( $#at )) || at=(.)
  [[ $key != tags ]] || compset -P '*,'
  names=(${(f)"$(find $^at/ -name '.?*' -prune -o -name node_modules -prune -o \
    -type f -name '*.bench.y*ml' -exec awk -v key=$key '@words_of_key@' {} + 2>/dev/null)"})
  _wanted words expl word compadd -a names
}

_bench() {
  local context state state_descr line
  typeset -A opt_args
  local -a commands
  commands=(
@commands@  )
  _arguments -C @flags@ \
    '1:command:->command' '*::argument:->arguments'
  case $state in
  command) _describe command commands ;;
  arguments)
    case $line[1] in
@cases@    esac ;;
  esac
}
if [ "$funcstack[1]" = _bench ]; then _bench "$@"; else compdef _bench bench; fi
