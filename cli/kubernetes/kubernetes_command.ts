import { stringify } from "yaml";
import { Refused } from "../../lib/base/errors/bench_error.ts";
import { checkShard } from "../../lib/shards.ts";
import { sum } from "../../lib/base/values/sum.ts";
import type { Console } from "../terminal/console.ts";
import { showWarnings } from "../terminal/errors.ts";
import { readFlowFile, readTargetFile } from "../inputs/input_files.ts";
import { planRun } from "../flow/planned_run.ts";
import { systemWorld } from "../inputs/world.ts";
import { manifests } from "./manifests.ts";
import type { KubernetesFlags } from "./kubernetes_options.ts";
import { dirname, relative, resolve } from "node:path";
import type { World } from "../../lib/compile.ts";

/** What a ConfigMap holds at the most. */
const MOST_BYTES = 1_048_576;

/** So many of the files that are too much are named, the largest first. */
const MOST_NAMED = 5;

/** Prints the manifests of a run of several pods. Returns the exit code. */
export async function kubernetesCommand(
  file: string,
  flags: KubernetesFlags,
  console: Console,
): Promise<number> {
  const flow = await readFlowFile(file, console);
  const target = await readTargetFile(flags.target, flow);
  if (flow.form === "document" || flow.file === "-") {
    throw new Refused(
      "pods need the flow as a file: a .yaml, or IR in a .json",
      "write one with `bench compile <flow> > flow.json`",
    );
  }
  const files = new CollectedFiles();
  const { prepared, env } = await planRun(flow, target, files.reading);
  showWarnings(prepared, console);
  checkShard(prepared, { index: 0, count: flags.shards });
  files.add(flow.file, flow.bytes);
  files.add(target.file, target.bytes);
  const all = files.below();
  checkSize(all);
  const name = flags.name ?? nameOf(prepared.flow.flow);
  const documents = manifests({
    ...flags,
    name,
    secret: flags.secret ?? name,
    flow: files.pathOf(flow.file),
    target: files.pathOf(target.file),
    files: all,
    variables: [...env.keys()].sort(),
  });
  const texts = documents.map((each) => stringify(each, { lineWidth: 0 }));
  console.out(texts.join("---\n"));
  return 0;
}

function checkSize(files: ReadonlyMap<string, Uint8Array>): void {
  const bytes = sum([...files.values()], (each) => each.length);
  if (bytes <= MOST_BYTES) return;
  const largest = [...files].sort(([, a], [, b]) => b.length - a.length);
  const named = largest.slice(0, MOST_NAMED)
    .map(([path, { length }]) => `\`${path}\` ${length}`);
  const more = largest.length - named.length;
  if (more > 0) named.push(`${more} smaller ${more === 1 ? "file" : "files"}`);
  throw new Refused(
    `flow, target and the files they name have ${bytes} bytes, a ConfigMap holds ${MOST_BYTES}: ${
      named.join(", ")
    }`,
    "put the files into an image of your own (docs/kubernetes.md)",
  );
}

/** A flow's name as a DNS label, short enough for an index behind it. */
function nameOf(flow: string): string {
  const words = flow.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return `bench-${words}`.slice(0, 50).replaceAll(/-+$/g, "");
}

/**
 * Every file that is read while a run is prepared: fixtures, protos and what those
 * import, without knowing which step kind names which.
 */
class CollectedFiles {
  readonly #files = new Map<string, Uint8Array>();

  /** The machine, which remembers what is read. */
  readonly reading: World = {
    ...systemWorld,
    readBytes: (path, most) => {
      const bytes = systemWorld.readBytes(path, most);
      this.add(path, bytes);
      return bytes;
    },
  };

  add(path: string, bytes: Uint8Array): void {
    this.#files.set(resolve(path), bytes);
  }

  /** The files by their path below the folder that all of them are in. */
  below(): ReadonlyMap<string, Uint8Array> {
    const files = [...this.#files].sort(([a], [b]) => a < b ? -1 : 1);
    return new Map(
      files.map(([path, bytes]) => [this.pathOf(path), bytes]),
    );
  }

  /** Where a file is below that folder. */
  pathOf(path: string): string {
    const folders = [...this.#files.keys()].map(dirname);
    let root = folders[0] ?? "/";
    while (folders.some((each) => /^\.\.(?:\/|$)/.test(relative(root, each)))) {
      root = dirname(root);
    }
    return relative(root, resolve(path));
  }
}
