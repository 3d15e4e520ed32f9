#!/bin/sh
# Tries built programs as a user would, on the system they are for:
#
#     sh smoke.sh <folder with bench, bench-agent> <target triple>
#
# Needs curl. Nothing of Deno may help: folders of PATH that hold one are left out.
set -eu

case $1 in
/* | [A-Za-z]:*) programs=$1 ;;
*) programs=$PWD/$1 ;;
esac
target=$2
work=$(mktemp -d)
started=""
step="start"

whole_path=$PATH
finish() {
  code=$?
  trap - EXIT
  PATH=$whole_path
  for each in $started; do kill "$each" 2>/dev/null || :; done
  if [ "$code" -ne 0 ]; then
    echo "FAILED: $step" >&2
    for log in "$work"/*.log; do
      [ ! -f "$log" ] || { echo "--- ${log##*/}" && tail -n 15 "$log"; } >&2
    done
  fi
  # A program that has just ended may still hold a file on Windows.
  rm -rf "$work" 2>/dev/null || :
  exit "$code"
}
trap finish EXIT

fail() {
  echo "$*" >&2
  exit 1
}

# without_deno: PATH without the folders that hold a Deno.
without_deno() {
  kept=""
  old_ifs=$IFS
  IFS=:
  for folder in $PATH; do
    [ -x "$folder/deno" ] || [ -x "$folder/deno.exe" ] || kept=$kept:$folder
  done
  IFS=$old_ifs
  echo "${kept#:}"
}

# says <program> <log>: the version, the commit, and how the file was built.
says() {
  "$programs/$1" --version >"$2" 2>&1
  grep -Eq "^$1 [0-9]+\.[0-9]+\.[0-9]+ \(commit ([0-9a-f]{12}(\+changes)?|unknown), (compiled|packed) with Deno [0-9.]+ for $target\)\$" "$2"
}

# found <pattern> <log>: waits until a program that was started says it.
found() {
  tries=0
  until said=$(grep -Eo "$1" "$2") && [ -n "$said" ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 150 ] || fail "it never said $1"
    sleep 0.2
  done
  echo "$said" | head -n 1
}

# ended <pid>: stops a program that serves; it must end well.
ended() {
  kill "$1"
  code=0
  wait "$1" || code=$?
  case $target in
  *windows*) ;; # there a program is ended from outside, without a say
  *) [ "$code" -eq 0 ] || fail "it ended with $code" ;;
  esac
}

PATH=$(without_deno)
export PATH NO_COLOR=1
for tool in curl grep head cat sleep; do
  command -v "$tool" >/dev/null 2>&1 || fail "there is no $tool in a folder of PATH without Deno"
done
cd "$work"

step="bench --version"
says bench version.log
cat version.log

step="bench demo: every protocol, and a load"
"$programs/bench" demo --store demo >demo.log 2>&1
[ "$(grep -c 'PASS' demo.log)" -ge 5 ] || fail "fewer than 5 flows passed"

step="bench demo --serve"
"$programs/bench" demo --serve --addr 127.0.0.1:0 >serving.log 2>&1 &
demo=$!
started="$started $demo"
url=$(found 'http://127\.0\.0\.1:[0-9]+' serving.log)
printf 'name: here\nbase_urls: [%s]\n' "$url" >here.yaml

step="bench init, and a run of its flow"
"$programs/bench" init mine >init.log 2>&1
"$programs/bench" validate mine/first.bench.yaml --target ./here.yaml >validate.log 2>&1
"$programs/bench" run mine/first.bench.yaml --target ./here.yaml --store runs >run.log 2>&1
grep -q PASS run.log

step="a run in two threads"
cat >load.yaml <<'FLOW'
flow: load
profile: { mode: load, vus: 4, iterations: 200, thresholds: [error_rate <= 0] }
steps:
  - { id: item, call: GET /items/42, assert: [$.id == 42] }
FLOW
"$programs/bench" run load.yaml --target ./here.yaml --store runs --workers 2 >load.log 2>&1
grep -q PASS load.log

step="a wrong flow is refused"
printf 'flow: wrong\nsteps: [{ id: a, cal: GET / }]\n' >wrong.yaml
code=0
"$programs/bench" validate wrong.yaml >wrong.log 2>&1 || code=$?
[ "$code" -eq 2 ] || fail "exit code $code for a wrong flow"
grep -q 'unknown key' wrong.log

step="bench demo --serve ends at SIGTERM"
ended "$demo"

step="bench serve"
"$programs/bench" serve --store runs --addr 127.0.0.1:0 >viewer.log 2>&1 &
viewer=$!
started="$started $viewer"
url=$(found 'http://127\.0\.0\.1:[0-9]+' viewer.log)
curl --silent --show-error --fail "$url/" >runs.html
run=$(grep -Eo '/runs/[0-9]{8}T[0-9]{6}Z-load-[0-9a-f]{6}' runs.html | head -n 1)
curl --silent --show-error --fail "$url$run" >page.html
grep -q 'error_rate' page.html

step="bench report"
"$programs/bench" report "${run#/runs/}" --store runs --html report.html >report.log 2>&1
grep -q '<html' report.html

step="bench serve ends at SIGTERM"
ended "$viewer"

case $target in
*windows*) ;;
*)
  step="bench-agent --version"
  says bench-agent agent-version.log
  step="bench-agent responds"
  "$programs/bench-agent" --addr 127.0.0.1:0 >agent.log 2>&1 &
  agent=$!
  started="$started $agent"
  address=$(found '127\.0\.0\.1:[0-9]+' agent.log)
  curl --silent --show-error --output metrics.json --write-out '%{http_code}\n' "http://$address/metrics" >status.log
  case $target in
  *linux*)
    grep -q '^200$' status.log
    grep -q mem_total_bytes metrics.json
    ;;
  *) # it reads /proc, and says that there is none
    if grep -q '^200$' status.log; then fail "a reading without /proc"; fi
    ;;
  esac
  step="bench-agent ends at SIGTERM"
  ended "$agent"
  ;;
esac

if [ -d "$programs/completions" ]; then
  step="the completion scripts are those of this version"
  for pair in bench.bash:bash _bench:zsh bench.fish:fish; do
    "$programs/bench" completions "${pair#*:}" >script
    cmp "$programs/completions/${pair%:*}" script
  done
fi

echo "all is well: $target"
