import { hash } from "node:crypto";
import { relative } from "node:path";
import { concatenated } from "../lib/base/values/bytes.ts";
import { EVEN_START } from "../lib/base/process/socket_turns.ts";
import { type ArchiveFile, filesBelow, inOrder } from "./archive_file.ts";
import { BuildError } from "./command.ts";
import {
  PERMISSIONS,
  type ProgramPlan,
  START_FLAGS,
  V8_FLAGS,
} from "./programs.ts";
import { tarGz } from "./tar.ts";

/**
 * Builds one executable file from a Deno and a bundle: a POSIX shell head, then
 * a gzipped tar of both. The first start unpacks it once; every start after
 * that is Deno's own. For machines where the base of `deno compile` cannot be
 * fetched. The same commit and the same Deno give the same bytes.
 *
 * @param build the words `--version` shows
 * @param app the folder of the bundle
 * @param main the module to run, in that folder
 * @param deno the executable that runs it
 * @param time the time every file gets
 * @param output the file to write
 */
export function pack(
  program: ProgramPlan,
  build: string,
  app: string,
  main: string,
  deno: Uint8Array,
  time: Date,
  output: string,
): void {
  const files = inOrder([
    { path: "deno", bytes: deno, executable: true },
    ...filesBelow(app, "app"),
  ]);
  const payload = tarGz(files, time);
  const id = hash("sha256", payload).slice(0, 16);
  const head = shellHead(program, build, id, relative(app, main), files);
  const file = concatenated([new TextEncoder().encode(head), payload]);
  Deno.writeFileSync(output, file, { mode: 0o755 });
  Deno.chmodSync(output, 0o755);
}

/**
 * The head. It unpacks into a folder that only the user can write to, under a
 * name that is the payload's digest, by a rename: a start that is killed half
 * way leaves nothing a later one would run. A folder that others can write to, or
 * that is a symbolic link, is not run: what is in it may be theirs. Files that are gone
 * from that folder, as what cleans caches by age leaves it, are put back one by one:
 * other starts may be running what is still there.
 */
function shellHead(
  { name }: ProgramPlan,
  build: string,
  id: string,
  module: string,
  files: readonly ArchiveFile[],
): string {
  const body = `#!/bin/sh
# ${name} (${build}): a shell head and a gzipped tar, unpacked at the first start.
set -eu
files="${namesOf(files.filter(({ bytes }) => bytes.length > 0))}"
empty="${namesOf(files.filter(({ bytes }) => bytes.length === 0))}"
folders="${foldersOf(files)}"
# Folders of this user that no other may write to, none of them a symbolic link.
closed() {
  for each; do [ ! -L "$each" ] && [ -O "$each" ] || return 1; done
  # From where the system has it, whatever PATH says; without it nothing is trusted.
  listed=$(command -p ls -ld "$@" 2>/dev/null) || return 1
  for each in $listed; do
    case $each in d????-??-*) ;; *) return 1 ;; esac
  done
}
# What was unpacked, with the folders that it is in, which the caller names.
trusted() {
  for each in $files $empty; do [ ! -L "$home/$each" ] || return 1; done
  set -- "$@" "$home"
  for each in $folders; do
    if [ -d "$home/$each" ] || [ -L "$home/$each" ]; then set -- "$@" "$home/$each"; fi
  done
  closed "$@"
}
own() {
  { [ -d "$1" ] || (umask 077 && mkdir -p "$1") 2>/dev/null; } && [ -w "$1" ] || return 1
  home=$1/${name}-${id}
  # Most starts are over with one look at all folders: each takes a process.
  if [ -d "$home" ] && trusted "$1"; then looked=yes; else closed "$1"; fi
}
looked=
IFS='
'
set -f
{ [ -n "\${BENCH_CACHE:-}" ] && own "$BENCH_CACHE"; } ||
  { [ -n "\${XDG_CACHE_HOME:-}" ] && own "$XDG_CACHE_HOME/bench"; } ||
  { [ -n "\${HOME:-}" ] && own "$HOME/.cache/bench"; } ||
  own "\${TMPDIR:-/tmp}/bench-$(id -u)" || {
  echo "${name}: error: there is no folder to unpack into" >&2
  echo "  = set BENCH_CACHE to a folder that is yours alone" >&2
  exit 2
}
fresh=$home.$$
unpack() (
  umask 077
  mkdir "$fresh" && tail -n +@LINES@ "$0" | tar -xzf - -C "$fresh"
)
whole() {
  for each in $files; do [ -s "$home/$each" ] || return 1; done
  for each in $empty; do [ -f "$home/$each" ] || return 1; done
}
repair() {
  for each in $files $empty; do
    to=$home/$each
    [ -s "$to" ] || { mkdir -p "\${to%/*}" && mv "$fresh/$each" "$to"; } || return 1
  done
}
failed() {
  rm -rf "$fresh"
  echo "${name}: error: Cannot unpack into $home" >&2
  echo "  = remove that folder, make room on its disk, or set BENCH_CACHE to another folder of yours" >&2
  exit 3
}
if [ ! -d "$home" ] && [ ! -L "$home" ]; then
  unpack || failed
  # Another start may have been first.
  [ -d "$home" ] || mv "$fresh" "$home" || failed
  rm -rf "$fresh"
fi
if [ -z "$looked" ] && ! trusted; then
  echo "${name}: error: $home may have been changed by others" >&2
  echo "  = remove it: the next start unpacks it anew, for you alone" >&2
  exit 3
elif ! whole; then
  unpack && repair || failed
  rm -rf "$fresh"
fi
export DENO_DIR="$home/cache" DENO_NO_UPDATE_CHECK=1 ${EVEN_START}
# To open the cache takes longer than to compile what this needs.
case $* in --version | -V) cache=--no-code-cache ;; *) cache= ;; esac
exec "$home/deno" run --quiet --no-config --no-lock --no-remote --no-npm --no-prompt \\
  $cache ${START_FLAGS} ${V8_FLAGS} ${PERMISSIONS} "$home/app/${module}" "$@"
exit 3
`;
  return body.replace("@LINES@", String(body.split("\n").length));
}

/** The folders that files are in, for a shell. */
function foldersOf(files: readonly ArchiveFile[]): string {
  const parents = files.flatMap(({ path }) => {
    const parts = path.split("/").slice(0, -1);
    return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
  });
  return [...new Set(parents)].join("\n");
}

/** For a shell that splits them at blanks. */
function namesOf(files: readonly ArchiveFile[]): string {
  const odd = files.find(({ path }) => !/^[\w./-]+$/.test(path));
  if (odd) {
    throw new BuildError(`a shell would not read \`${odd.path}\` as one name`);
  }
  return files.map(({ path }) => path).join("\n");
}
