import { dirname, join } from "node:path";
import type { DemoTarget } from "../../../cli/demo/server.ts";
import { ROOT } from "../bench.ts";
import { programEnvironment } from "../program.ts";
import {
  type Addresses,
  addresses,
  CREDENTIALS,
  freeAddress,
} from "./addresses.ts";
import { servers } from "./servers.ts";
import { RELEASE_PAGE, writeRelease } from "./release.ts";
import { writeShims } from "./shims.ts";

/** What a shell script did. */
export interface ScriptResult {
  readonly code: number;
  /** Both streams, in the order they were written. */
  readonly output: string;
}

/** The folder, the terminal and the servers that one page's blocks share. */
export interface PageHarness extends AsyncDisposable, Addresses {
  /** Writes a file into the folder the terminal is in. */
  write(file: string, text: string): void;
  /**
   * Runs a script in bash. The folder it ends in and what it exports are those
   * the next one begins with, as in one terminal.
   */
  sh(script: string): Promise<ScriptResult>;
}

/** What stands beside the flows of a page: the examples' fixtures, schemas and targets. */
const BESIDE = ["auth", "data", "protos", "targets"];

/** Makes the harness of a page; ending the scope takes everything down. */
export async function pageHarness(
  page: string,
  demo: DemoTarget,
): Promise<PageHarness> {
  const root = await Deno.makeTempDir({ prefix: "bench-docs-" });
  const [bin, home, work, state] = ["bin", "home", "work", "state"].map(
    (each) => join(root, each),
  ) as [string, string, string, string];
  for (const each of [home, state]) Deno.mkdirSync(each);
  const listening = {
    demo: new URL(demo.url).host,
    grpc: demo.grpcUrl.replace("grpc://", ""),
    agent: freeAddress(),
    viewer: freeAddress(),
  };
  const there = addresses(listening);
  copyFolder(join(ROOT, "examples"), join(work, "examples"), there);
  for (const each of BESIDE) {
    copyFolder(join(ROOT, "examples", each), join(work, each), there);
  }
  Deno.symlinkSync(join(ROOT, "sdk"), join(work, "sdk"));
  const running = servers();
  writeShims(bin, { listening, control: running.url });
  const targets = { here: demo.url, here_grpc: demo.grpcUrl };
  for (const [name, url] of Object.entries(targets)) {
    const text = `name: ${name}\nbase_urls: [${url}]\n`;
    Deno.writeTextFileSync(join(work, "targets", `${name}.yaml`), text);
  }
  if (page === RELEASE_PAGE) await writeRelease(work, join(bin, "bench"));
  Deno.writeTextFileSync(join(state, "cwd"), work);
  Deno.writeTextFileSync(join(state, "env"), "");
  const folder = () => Deno.readTextFileSync(join(state, "cwd")).trim();
  return {
    ...there,
    write(file, text) {
      const path = join(folder(), file);
      Deno.mkdirSync(dirname(path), { recursive: true });
      Deno.writeTextFileSync(path, text);
    },
    async sh(script) {
      const child = new Deno.Command("bash", {
        args: ["-c", `${prologue(state)}\n${script}`],
        env: {
          ...programEnvironment(),
          PATH: `${bin}:${Deno.env.get("PATH")}`,
          DENO_NO_UPDATE_CHECK: "1",
          HOME: home,
          NO_COLOR: "1",
          PYTHONPATH: join(ROOT, "sdk"),
          SHOP_URL: demo.url,
          ...CREDENTIALS,
        },
        clearEnv: true,
        stdin: "null",
        stdout: "piped",
        stderr: "null",
      }).spawn();
      const { code, stdout } = await child.output();
      return { code, output: new TextDecoder().decode(stdout) };
    },
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
      await Deno.remove(root, { recursive: true });
    },
  };
}

/** Takes up the terminal where the last script left it, and stops at the first error. */
function prologue(state: string): string {
  return `exec 2>&1
set -eo pipefail
. ${state}/env
cd "$(cat ${state}/cwd)"
trap 'code=$?; pwd >${state}/cwd; export -p >${state}/env; exit $code' EXIT`;
}

function copyFolder(from: string, to: string, { moved }: Addresses): void {
  Deno.mkdirSync(to, { recursive: true });
  for (const { name, isDirectory } of Deno.readDirSync(from)) {
    const [source, copy] = [join(from, name), join(to, name)];
    if (isDirectory) copyFolder(source, copy, { moved } as Addresses);
    else Deno.writeTextFileSync(copy, moved(Deno.readTextFileSync(source)));
  }
}
