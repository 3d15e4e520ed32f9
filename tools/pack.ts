import { createHash } from "node:crypto";
import { relative } from "node:path";
import { EVEN_START } from "../lib/base/process/socket_turns.ts";
import {
  type ArchiveFile,
  filesBelow,
  inOrder,
  joined,
} from "./archive_file.ts";
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
  const id = createHash("sha256").update(payload).digest("hex").slice(0, 16);
  const head = shellHead(program, build, id, relative(app, main), files);
  const file = joined([new TextEncoder().encode(head), payload]);
  Deno.writeFileSync(output, file, { mode: 0o755 });
  Deno.chmodSync(output, 0o755);
}

/**
 * The head. It unpacks into a folder that only the user can write to, under a
 * name that is the payload's digest, by a rename: a start that is killed half
 * way leaves nothing a later one would run. Files that are gone from that folder,
 * as what cleans caches by age leaves it, are put back one by one: other starts
 * may be running what is still there.
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
own() {
  { [ -d "$1" ] || (umask 077 && mkdir -p "$1") 2>/dev/null; } && [ -O "$1" ] && [ -w "$1" ]
}
if [ -n "\${BENCH_CACHE:-}" ] && own "$BENCH_CACHE"; then base=$BENCH_CACHE
elif [ -n "\${XDG_CACHE_HOME:-}" ] && own "$XDG_CACHE_HOME/bench"; then base=$XDG_CACHE_HOME/bench
elif [ -n "\${HOME:-}" ] && own "$HOME/.cache/bench"; then base=$HOME/.cache/bench
elif own "\${TMPDIR:-/tmp}/bench-$(id -u)"; then base=\${TMPDIR:-/tmp}/bench-$(id -u)
else
  echo "${name}: error: there is no folder to unpack into" >&2
  echo "  = set BENCH_CACHE to a folder of yours" >&2
  exit 2
fi
home=$base/${name}-${id}
fresh=$home.$$
files="${namesOf(files.filter(({ bytes }) => bytes.length > 0))}"
empty="${namesOf(files.filter(({ bytes }) => bytes.length === 0))}"
unpack() {
  mkdir "$fresh" && tail -n +@LINES@ "$0" | tar -xzf - -C "$fresh"
}
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
if [ ! -d "$home" ]; then
  unpack || failed
  # Another start may have been first.
  [ -d "$home" ] || mv "$fresh" "$home" || failed
  rm -rf "$fresh"
elif ! whole; then
  unpack && repair || failed
  rm -rf "$fresh"
fi
export DENO_DIR="$home/cache" DENO_NO_UPDATE_CHECK=1 ${EVEN_START}
exec "$home/deno" run --quiet --no-config --no-lock --no-remote --no-npm --no-prompt \\
  ${START_FLAGS} ${V8_FLAGS} ${PERMISSIONS} "$home/app/${module}" "$@"
exit 3
`;
  return body.replace("@LINES@", String(body.split("\n").length));
}

/** For a shell that splits them at blanks. */
function namesOf(files: readonly ArchiveFile[]): string {
  const odd = files.find(({ path }) => !/^[\w./-]+$/.test(path));
  if (odd) {
    throw new BuildError(`a shell would not read \`${odd.path}\` as one name`);
  }
  return files.map(({ path }) => path).join("\n");
}
