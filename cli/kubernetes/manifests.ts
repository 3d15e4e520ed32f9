import type { KubernetesFlags } from "./kubernetes_options.ts";

/** What the manifests of a run are made of. */
interface Workload extends Omit<KubernetesFlags, "name" | "secret"> {
  /** Of every object: a DNS label. */
  readonly name: string;
  readonly secret: string;
  /** Paths in the ConfigMap's folder, as is `target`. */
  readonly flow: string;
  /** By path in that folder. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Variables that the flow names; their values are in the Secret. */
  readonly variables: readonly string[];
}

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
    const text = textOf(bytes);
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

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
      .decode(bytes);
  } catch {
    return undefined;
  }
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
  return {
    name: "bench",
    image,
    args: [
      ...["run", `${FILES}/${flow}`, "--target", `${FILES}/${target}`],
      ...["--seed", String(seed), "--store", STORE, "--quiet"],
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
      ...["BENCH_SHARD_TOKEN", ...workload.variables].map((variable) => ({
        name: variable,
        valueFrom: { secretKeyRef: { name: workload.secret, key: variable } },
      })),
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
