import { deepStrictEqual, equal, ok, throws } from "node:assert/strict";
import { ConfigMap } from "kubernetes-models/v1/ConfigMap";
import { Service } from "kubernetes-models/v1/Service";
import { Job } from "kubernetes-models/batch/v1/Job";
import { parseAllDocuments } from "yaml";
import { kubernetesCommand } from "../../../../cli/kubernetes/kubernetes_command.ts";
import { KUBERNETES } from "../../../../cli/kubernetes/kubernetes_options.ts";
import type { Option } from "../../../../cli/options/option.ts";
import type { Console } from "../../../../cli/terminal/console.ts";
import { failWith } from "../../../../cli/terminal/errors.ts";
import { workspace } from "../../../support/bench.ts";

const FLAGS = {
  shards: 8,
  image: "registry.example/bench:1",
  seed: 7,
  contract: "fail" as const,
  cpu: "2",
  memory: "512Mi",
};

const FILES = {
  "flows/shop.bench.yaml": `flow: Shop_Flow
profile: { mode: load, vus: 40, hold: 1m }
data: ../data/users.csv
auth: { scheme: bearer, token: "{{ env.API_TOKEN }}" }
steps:
  - id: item
    call: "GET /items/{{ user.id }}"
`,
  "data/users.csv": "id\n1\n2\n",
  "targets/staging.yaml": "name: staging\nbase_urls: [http://10.0.0.1]\n",
};

async function printed(
  files: Readonly<Record<string, string>>,
  flags: object = {},
  bytes: Readonly<Record<string, Uint8Array>> = {},
) {
  using folder = workspace(files);
  for (const [path, each] of Object.entries(bytes)) {
    Deno.writeFileSync(`${folder.path}/${path}`, each);
  }
  const said = { out: "", err: "" };
  const console = {
    out: (text: string) => void (said.out += text),
    err: (text: string) => void (said.err += text),
    print: () => {},
    command: () => {},
    errColor: false,
  } as unknown as Console;
  const code = await kubernetesCommand(
    `${folder.path}/flows/shop.bench.yaml`,
    { ...FLAGS, target: `${folder.path}/targets/staging.yaml`, ...flags },
    console,
  ).catch((error) => failWith(error, console, "text"));
  return { code, ...said };
}

Deno.test("bench kubernetes: manifests hold to the schemas of Kubernetes", async () => {
  const { code, out, err } = await printed(FILES, { claim: "results" });
  equal(code, 0, err);
  const documents = parseAllDocuments(out).map((each) => each.toJS());
  const [config, service, job] = documents;
  new ConfigMap(config).validate();
  new Service(service).validate();
  new Job(job).validate();
  const wrong = { ...job, spec: { ...job.spec, completions: "8" } };
  throws(() => new Job(wrong).validate(), "the schemas are looked at");
  deepStrictEqual(
    documents.map(({ kind, metadata }) => [kind, metadata.name]),
    ["ConfigMap", "Service", "Job"].map((kind) => [kind, "bench-shop-flow"]),
  );
});

Deno.test("bench kubernetes: one Indexed Job whose pods are the shards", async () => {
  const { out } = await printed(FILES);
  const [, service, job] = parseAllDocuments(out).map((each) => each.toJS());
  const { completionMode, completions, parallelism, backoffLimitPerIndex } =
    job.spec;
  deepStrictEqual(
    [completionMode, completions, parallelism, backoffLimitPerIndex],
    ["Indexed", 8, 8, 0],
  );
  const pod = job.spec.template;
  deepStrictEqual(service.spec.selector, pod.metadata.labels);
  equal(service.spec.clusterIP, "None");
  equal(pod.spec.subdomain, service.metadata.name);
  const [{ args, securityContext }] = pod.spec.containers;
  deepStrictEqual(args.slice(0, 4), [
    "run",
    "/flow/flows/shop.bench.yaml",
    "--target",
    "/flow/targets/staging.yaml",
  ]);
  const line = args.join(" ");
  ok(line.includes("--shard $(JOB_COMPLETION_INDEX)/8"));
  ok(line.includes("--lead bench-shop-flow-0.bench-shop-flow:7979"));
  ok(line.includes("--lead-without-tls"));
  ok(line.includes("--seed 7"));
  equal(securityContext.readOnlyRootFilesystem, true);
  equal(pod.spec.securityContext.runAsNonRoot, true);
});

Deno.test("bench kubernetes: every file the run reads is mounted where the flow looks for it", async () => {
  const { out } = await printed(FILES);
  const [config, , job] = parseAllDocuments(out).map((each) => each.toJS());
  const [{ configMap }] = job.spec.template.spec.volumes;
  const mounted = Object.fromEntries(
    configMap.items.map((
      { key, path }: { key: string; path: string },
    ) => [path, config.data[key]]),
  );
  deepStrictEqual(mounted, FILES);
});

Deno.test("bench kubernetes: variables come from a Secret, and no value of theirs is printed", async () => {
  Deno.env.set("API_TOKEN", "value-of-the-token");
  try {
    const { out } = await printed(FILES, { secret: "vault" });
    ok(!out.includes("value-of-the-token"));
    const [, , job] = parseAllDocuments(out).map((each) => each.toJS());
    const [{ env }] = job.spec.template.spec.containers;
    const named = ["BENCH_SHARD_TOKEN", "API_TOKEN"].map((name) => ({
      name,
      valueFrom: { secretKeyRef: { name: "vault", key: name } },
    }));
    deepStrictEqual(env.slice(1, 3), named);
  } finally {
    Deno.env.delete("API_TOKEN");
  }
});

Deno.test("bench kubernetes: an agent of the target may have a token in the Secret", async () => {
  const tokens = async (target: string) => {
    const { out } = await printed({ ...FILES, "targets/staging.yaml": target });
    const [, , job] = parseAllDocuments(out).map((each) => each.toJS());
    const [{ env }] = job.spec.template.spec.containers;
    return env.filter(({ name }: { name: string }) =>
      name === "BENCH_AGENT_TOKEN"
    ).map(({ valueFrom }: { valueFrom: { secretKeyRef: unknown } }) =>
      valueFrom.secretKeyRef
    );
  };
  const target = FILES["targets/staging.yaml"];
  deepStrictEqual(await tokens(target), []);
  const [token] = await tokens(`${target}\nagent_addr: 127.0.0.1:7070\n`);
  equal(token.key, "BENCH_AGENT_TOKEN");
  equal(token.optional, true);
});

Deno.test("bench kubernetes: a target on loopback is warned about, as pods would be their own", async () => {
  const loopback = ["http://127.0.0.1:7800", "https://[::1]", "http://[::]"];
  loopback.push("http://0.0.0.0:80", "http://localhost.:7800");
  const warned = async (address: string) => {
    const target = `name: staging\n${address}\n`;
    const files = { ...FILES, "targets/staging.yaml": target };
    const { code, err } = await printed(files);
    equal(code, 0);
    return /`(.*)` of target `staging` is a loopback/.exec(err)?.[1];
  };
  for (const url of loopback) {
    equal(await warned(`base_urls: ["${url}"]`), url);
  }
  const elsewhere = 'base_urls: ["http://a"]\nagent_addr: ';
  equal(await warned(`${elsewhere}a:7070`), undefined);
  equal(await warned(`${elsewhere}127.0.0.1:7070`), "127.0.0.1:7070");
});

Deno.test("bench kubernetes: what a ConfigMap cannot hold, and what has no shards, is refused", async () => {
  const large = `id\n${"1234567\n".repeat(140_000)}`;
  const { code, err } = await printed({ ...FILES, "data/users.csv": large });
  equal(code, 2);
  ok(
    /a ConfigMap holds 1048576: `data\/users\.csv` 1120003, `flows\/shop\.bench\.yaml` \d+, `targets\/staging\.yaml` \d+\n/
      .test(err),
    err,
  );
  ok(err.includes("an image of your own"), err);
  const flow = FILES["flows/shop.bench.yaml"].replace("load", "system");
  const functional = await printed({ ...FILES, "flows/shop.bench.yaml": flow });
  equal(functional.code, 2);
  ok(functional.err.includes("a run in system mode has no shards"));
});

Deno.test("bench kubernetes: files that bodies send are mounted with their bytes", async () => {
  const bytes = Uint8Array.of(0x89, 0, 0xff, 0x0a);
  const { code, out, err } = await printed(
    {
      ...FILES,
      "flows/shop.bench.yaml": `version: 1
flow: upload
profile: { mode: load, vus: 40, hold: 1m }
steps:
  - { id: whole, call: PUT /a, file: ../data/a.bin }
  - { id: part, call: POST /b, multipart: { note: { file: note.txt }, a: { file: ../data/a.bin } } }
`,
      "flows/note.txt": "hello\n",
    },
    {},
    { "data/a.bin": bytes },
  );
  equal(code, 0, err);
  const [config, , job] = parseAllDocuments(out).map((each) => each.toJS());
  new ConfigMap(config).validate();
  const keys = new Map<string, string>(
    job.spec.template.spec.volumes[0].configMap.items.map((
      { key, path }: { key: string; path: string },
    ) => [path, key]),
  );
  equal(config.data[keys.get("flows/note.txt")!], "hello\n");
  equal(config.binaryData[keys.get("data/a.bin")!], bytes.toBase64());
});

Deno.test("bench kubernetes: a description goes along with the files it refers to", async () => {
  const openapi = JSON.stringify({
    openapi: "3.1.0",
    paths: {
      "/items/{id}": {
        get: {
          responses: {
            200: {
              content: {
                "application/json": { schema: { $ref: "parts/item.json" } },
              },
            },
          },
        },
      },
    },
  });
  using folder = workspace({
    "api/shop.json": openapi,
    "api/parts/item.json": '{ "type": "object" }',
    "api/parts/other.json": "{}",
  });
  const { code, out, err } = await printed(FILES, {
    openapi: `${folder.path}/api/shop.json`,
    contract: "warn",
  });
  equal(code, 0, err);
  const [map, , job] = parseAllDocuments(out).map((each) => each.toJS());
  const pod = job.spec.template.spec;
  const paths: string[] = pod.volumes[0].configMap.items
    .map(({ path }: { path: string }) => path);
  const ending = (text: string) => paths.filter((each) => each.endsWith(text));
  equal(ending("api/shop.json").length, 1);
  equal(ending("parts/item.json").length, 1);
  equal(ending("other.json").length, 0);
  const { args } = pod.containers[0];
  const at = args.indexOf("--openapi");
  equal(args[at + 1], `/flow/${ending("api/shop.json")[0]}`);
  deepStrictEqual(args.slice(at + 2, at + 4), ["--contract", "warn"]);
  ok(Object.values(map.data).includes(openapi));
});

Deno.test("bench kubernetes: what no cluster takes is refused", () => {
  const { name, namespace, secret, claim, cpu, memory, image } = KUBERNETES;
  const read = ({ kind }: Option, text: string) => {
    if (kind.type === "own") equal(kind.read(text), text);
  };
  const refused: [option: Option, text: string][] = [
    [namespace, "Bad_NS"],
    [name, "1st"],
    [name, "a".repeat(59)],
    [secret, "Bad_S"],
    [claim, "-"],
    [cpu, "x"],
    [cpu, "0"],
    [memory, "512MB"],
    [image, "two words"],
  ];
  for (const [option, text] of refused) {
    throws(() => read(option, text), /must be/, text);
  }
  const taken: [option: Option, text: string][] = [
    [namespace, "load-tests"],
    [name, "a1"],
    [secret, "bench.v2"],
    [claim, "1"],
    [cpu, "0.5"],
    [cpu, "500m"],
    [memory, "1Gi"],
    [image, "registry.example:5000/bench@sha256:0a"],
  ];
  for (const [option, text] of taken) read(option, text);
});
