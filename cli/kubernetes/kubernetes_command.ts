import { ifPossible } from "../../lib/base/values/if_possible.ts";
import { stringify } from "yaml";
import {
  absolutePath,
  dirname,
  relativePath,
} from "../../lib/base/values/paths.ts";
import { Refused } from "../../lib/base/errors/bench_error.ts";
import { isLoopback } from "../../lib/base/values/loopback.ts";
import type { Target } from "../../lib/language/flow/target.ts";
import { sum } from "../../lib/base/values/sum.ts";
import type { Environment } from "../../lib/compile.ts";
import { checkShard } from "../../lib/shards.ts";
import { planRun } from "../flow/planned_run.ts";
import { readFlowFile, readTargetFile } from "../inputs/input_files.ts";
import { readDescription } from "../options/openapi_description.ts";
import { systemEnvironment } from "../inputs/environment.ts";
import type { Console } from "../terminal/console.ts";
import { showWarnings } from "../terminal/errors.ts";
import type { KubernetesFlags } from "./kubernetes_options.ts";

/** The parts that the manifests of a run are made of. */
interface Workload
  extends Omit<KubernetesFlags, "name" | "secret" | "openapi"> {
  /** Of every object: a DNS label. */
  readonly name: string;
  readonly secret: string;
  /** Paths in the ConfigMap's folder, as is `target`. */
  readonly flow: string;
  readonly openapi: string | undefined;
  /** By path in that folder. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Variables that the flow names; their values are in the Secret. */
  readonly variables: readonly string[];
  /** The target has an agent, which may want a token. */
  readonly agent: boolean;
}

const AGENT_TOKEN = "BENCH_AGENT_TOKEN";
const PORT = 7979;
const FILES = "/flow";
const STORE = "/runs";
/** Of the image's user. */
const USER = 65_532;

/** A ConfigMap with the files, a Service for the lead, and the Job with its shards. */
export function manifests(workload: Workload): object[] {
  return [configMap(workload), service(workload), job(workload)];
}

function metadata({ name, namespace }: Workload) {
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    labels: labels(name),
  };
}

function labels(name: string) {
  return {
    "app.kubernetes.io/name": "bench",
    "app.kubernetes.io/instance": name,
  };
}

/** Keys cannot have a slash: files are numbered, and get their paths back when mounted. */
function configMap(workload: Workload): object {
  const data: Record<string, string> = {};
  const binaryData: Record<string, string> = {};
  [...workload.files.values()].forEach((bytes, index) => {
    const text = asUtf8(bytes);
    if (text === undefined) binaryData[key(index)] = bytes.toBase64();
    else data[key(index)] = text;
  });
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: metadata(workload),
    immutable: true,
    data,
    ...(Object.keys(binaryData).length > 0 && { binaryData }),
  };
}

function asUtf8(bytes: Uint8Array): string | undefined {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  return ifPossible(() => decoder.decode(bytes), undefined);
}

function key(index: number): string {
  return `file-${index}`;
}

/** Headless, so that the lead has a name; known before it is ready, so that shards find it. */
function service(workload: Workload): object {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: metadata(workload),
    spec: {
      clusterIP: "None",
      publishNotReadyAddresses: true,
      selector: labels(workload.name),
      ports: [{ name: "shards", port: PORT, targetPort: PORT }],
    },
  };
}

function job(workload: Workload): object {
  const { name, shards } = workload;
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: metadata(workload),
    spec: {
      completionMode: "Indexed",
      completions: shards,
      parallelism: shards,
      // A shard that is lost is not started again: the run has gone on without it.
      backoffLimitPerIndex: 0,
      template: {
        metadata: { labels: labels(name) },
        spec: {
          subdomain: name,
          restartPolicy: "Never",
          automountServiceAccountToken: false,
          terminationGracePeriodSeconds: 60,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: USER,
            runAsGroup: USER,
            fsGroup: USER,
            seccompProfile: { type: "RuntimeDefault" },
          },
          topologySpreadConstraints: [{
            maxSkew: 1,
            topologyKey: "kubernetes.io/hostname",
            whenUnsatisfiable: "ScheduleAnyway",
            labelSelector: { matchLabels: labels(name) },
          }],
          containers: [container(workload)],
          volumes: volumes(workload),
        },
      },
    },
  };
}

function container(workload: Workload): object {
  const { name, image, shards, flow, target, cpu, memory, seed } = workload;
  const { openapi, contract } = workload;
  return {
    name: "bench",
    image,
    args: [
      ...["run", `${FILES}/${flow}`, "--target", `${FILES}/${target}`],
      ...["--seed", String(seed), "--store", STORE, "--quiet"],
      ...(openapi === undefined
        ? []
        : ["--openapi", `${FILES}/${openapi}`, "--contract", contract]),
      // The Job sets the index in every pod.
      ...["--shard", `$(JOB_COMPLETION_INDEX)/${shards}`],
      // A pod of an Indexed Job is called by its index.
      ...["--lead", `${name}-0.${name}:${PORT}`, "--join-timeout", "10m"],
      // Messages are sealed with the token, which is in a Secret.
      "--lead-without-tls",
    ],
    env: [
      {
        name: "JOB_COMPLETION_INDEX",
        valueFrom: {
          fieldRef: {
            fieldPath:
              "metadata.annotations['batch.kubernetes.io/job-completion-index']",
          },
        },
      },
      ...fromSecret(workload),
      // What the program unpacks goes where it may write.
      { name: "BENCH_CACHE", value: "/tmp/bench" },
    ],
    ports: [{ name: "shards", containerPort: PORT }],
    resources: { requests: { cpu, memory }, limits: { cpu, memory } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    },
    volumeMounts: [
      { name: "flow", mountPath: FILES, readOnly: true },
      { name: "runs", mountPath: STORE },
      { name: "tmp", mountPath: "/tmp" },
    ],
  };
}

/** Variables whose values are in the Secret. */
function fromSecret({ secret, variables, agent }: Workload): object[] {
  const variable = (key: string, more = {}) => ({
    name: key,
    valueFrom: { secretKeyRef: { name: secret, key, ...more } },
  });
  return [
    ...["BENCH_SHARD_TOKEN", ...variables].map((key) => variable(key)),
    // An agent may do without.
    ...agent ? [variable(AGENT_TOKEN, { optional: true })] : [],
  ];
}

function volumes({ name, files, claim }: Workload): object[] {
  const items = [...files.keys()].map((path, index) => ({
    key: key(index),
    path,
  }));
  return [
    { name: "flow", configMap: { name, items } },
    {
      name: "runs",
      ...(claim === undefined
        ? { emptyDir: {} }
        : { persistentVolumeClaim: { claimName: claim } }),
    },
    { name: "tmp", emptyDir: {} },
  ];
}

/** The size of a ConfigMap at most. */
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
  warnOfLoopback(prepared.target, console);
  checkShard(prepared, { index: 0, count: flags.shards });
  await readDescription(flags, systemEnvironment, files.reading.readBytes);
  files.add(flow.file, flow.bytes);
  files.add(target.file, target.bytes);
  const all = files.below();
  checkSize(all);
  const name = flags.name ?? manifestName(prepared.flow.flow);
  const documents = manifests({
    ...flags,
    name,
    secret: flags.secret ?? name,
    flow: files.pathOf(flow.file),
    target: files.pathOf(target.file),
    openapi: flags.openapi && files.pathOf(Deno.realPathSync(flags.openapi)),
    files: all,
    variables: [...env.keys()].filter((each) => each !== AGENT_TOKEN).sort(),
    agent: prepared.target.agent_addr !== undefined,
  });
  const texts = documents.map((each) => stringify(each, { lineWidth: 0 }));
  console.out(texts.join("---\n"));
  return 0;
}

/** In a pod loopback is the pod. */
function warnOfLoopback(
  { name, base_urls, agent_addr }: Target,
  console: Console,
): void {
  const agents = agent_addr === undefined ? [] : [agent_addr];
  for (const text of [...base_urls, ...agents]) {
    const url = text === agent_addr ? `http://${text}` : text;
    const host = new URL(url).hostname.replace(/^\[|\]$|\.$/g, "");
    // The addresses that mean any of this machine lead there as well.
    if (!isLoopback(host) && host !== "0.0.0.0" && host !== "::") continue;
    console.err(
      `warning: pods would contact themselves: \`${text}\` of target \`${name}\` is a loopback address\n` +
        "  = give a target file with the address that the cluster knows\n",
    );
  }
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
function manifestName(flow: string): string {
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
  readonly reading: Environment = {
    ...systemEnvironment,
    readBytes: (path, most) => {
      const bytes = systemEnvironment.readBytes(path, most);
      this.add(path, bytes);
      return bytes;
    },
  };

  add(path: string, bytes: Uint8Array): void {
    this.#files.set(absolutePath(path), bytes);
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
    while (
      folders.some((each) => /^\.\.(?:\/|$)/.test(relativePath(root, each)))
    ) {
      root = dirname(root);
    }
    return relativePath(root, path);
  }
}
