import { createHash } from "node:crypto";
import { join } from "node:path";
import { PERMISSIONS, type ProgramPlan, V8_FLAGS } from "./programs.ts";

/**
 * Builds one executable file from the local Deno and a bundle: a POSIX shell
 * head, then a gzipped tar of both. The first start unpacks it once; every
 * start after that is Deno's own. For machines where the base of
 * `deno compile` cannot be fetched.
 *
 * @param build the words `--version` shows
 * @param app the folder of the bundle
 * @param main the module to run, in that folder
 * @param output the file to write
 * @throws {Error} when `tar` fails
 */
export async function pack(
  program: ProgramPlan,
  build: string,
  app: string,
  main: string,
  output: string,
): Promise<void> {
  const stage = await Deno.makeTempDir({ prefix: "bench-pack-" });
  try {
    await Deno.copyFile(Deno.execPath(), join(stage, "deno"));
    await Deno.chmod(join(stage, "deno"), 0o755);
    await run("cp", ["-R", app, join(stage, "app")]);
    const archive = join(stage, "payload.tar.gz");
    await run("tar", ["-czf", archive, "-C", stage, "deno", "app"]);
    const payload = await Deno.readFile(archive);
    const id = createHash("sha256").update(payload).digest("hex").slice(0, 16);
    const module = main.slice(app.length + 1);
    const head = new TextEncoder().encode(
      shellHead(program, build, id, module),
    );
    const file = new Uint8Array(head.length + payload.length);
    file.set(head);
    file.set(payload, head.length);
    await Deno.writeFile(output, file, { mode: 0o755 });
    await Deno.chmod(output, 0o755);
  } finally {
    await Deno.remove(stage, { recursive: true });
  }
}

/**
 * The head. It unpacks into a folder that only the user can write to, under a
 * name that is the payload's digest, by a rename: a start that is killed half
 * way leaves nothing a later one would run.
 */
function shellHead(
  { name }: ProgramPlan,
  build: string,
  id: string,
  module: string,
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
if [ ! -d "$home" ]; then
  fresh=$home.$$
  mkdir "$fresh"
  tail -n +@LINES@ "$0" | tar -xzf - -C "$fresh"
  # Another start may have been first.
  if [ -d "$home" ]; then rm -rf "$fresh"; else mv "$fresh" "$home"; fi
fi
export DENO_DIR="$home/cache" DENO_NO_UPDATE_CHECK=1
exec "$home/deno" run --quiet --no-config --no-lock --no-remote --no-npm --no-prompt \\
  ${V8_FLAGS} ${PERMISSIONS} "$home/app/${module}" "$@"
exit 3
`;
  return body.replace("@LINES@", String(body.split("\n").length));
}

async function run(command: string, args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(command, {
    args,
    stderr: "piped",
  }).output();
  if (!success) {
    throw new Error(`${command} failed: ${new TextDecoder().decode(stderr)}`);
  }
}
