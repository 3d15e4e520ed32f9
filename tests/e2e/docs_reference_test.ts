import { deepStrictEqual, doesNotMatch, ok } from "node:assert/strict";
import { indexText } from "../../lib/results/store/trace_index.ts";
import { flowSchema } from "../../lib/language/flow/flow.ts";
import { READING_FIELDS } from "../../lib/model/result/agent.ts";
import { runMeta } from "../../lib/model/result/run.ts";
import { histograms, series } from "../../lib/model/result/series.ts";
import { trace } from "../../lib/model/result/trace.ts";
import { bench, workspace } from "../support/bench.ts";
import { rawResponse } from "../support/raw_response.ts";
import { recordingServer } from "../support/recording_server.ts";
import { RpcClient } from "../support/rpc_client.ts";
import { spawnAgent } from "../support/live_agent.ts";
import { pageText } from "../support/docs/blocks.ts";
import { CAPABILITIES } from "../support/docs/capabilities.ts";
import {
  codeWords,
  keysIn,
  members,
  section,
} from "../support/docs/reference.ts";

/*
 * What a reference page says in words is what there is: names are taken from the
 * program, and looked for on the page. Tables are written by `deno task docs`.
 */

const COMMAND_LINE = "docs/command-line.md";

/** Those of `names` that `words` does not have. */
function missing(
  names: Iterable<string>,
  words: ReadonlySet<string>,
): string[] {
  return [...new Set(names)].filter((each) => !words.has(each)).sort();
}

Deno.test("docs/command-line.md: every command has its section, and README its line", async () => {
  const { stdout } = await bench(["--help"]);
  const commands = [...stdout.matchAll(/^ {2}(\w+) [[<]/gm)]
    .map(([, name]) => name!).filter((name) => name !== "help");
  ok(commands.length > 8, stdout);
  for (const name of commands) section(COMMAND_LINE, `## bench ${name}`);
  const flags = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)];
  const intro = codeWords(pageText(COMMAND_LINE).split("\n## ")[0]!);
  deepStrictEqual(missing(flags.map(([, flag]) => flag!), intro), []);
  const readme = codeWords(section("README.md", "## Commands"));
  deepStrictEqual(missing(commands, readme), []);
});

Deno.test("docs/agent.md: every flag of bench-agent --help, and every field of a reading", async () => {
  const { stdout } = await spawnAgent(["--help"]).output();
  const help = new TextDecoder().decode(stdout);
  const flags = [...help.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, flag]) =>
    flag!
  );
  ok(flags.length > 2, help);
  const words = codeWords(pageText("docs/agent.md"));
  const fields = [
    ...READING_FIELDS,
    ...members("lib/model/result/agent.ts"),
  ];
  deepStrictEqual(missing([...flags, ...fields], words), []);
});

Deno.test("docs/command-line.md: every environment variable that is read", () => {
  const sources = ["lib/", "cli/", "agent/"].flatMap((
    each,
  ) => [...filesIn(each)]);
  const names = sources.flatMap((text) =>
    [...text.matchAll(/\benv(?:\.get)?\("([A-Z_]+)"\)/g)]
      .map(([, name]) => name!)
  );
  ok(names.length > 5);
  const head = Deno.readTextFileSync(
    new URL("../../tools/pack.ts", import.meta.url),
  );
  const unpacking = [...head.matchAll(/\{([A-Z_]+):-/g)].map(([, name]) =>
    name!
  )
    // Named where the folders of a target are.
    .filter((name) => name !== "HOME");
  ok(unpacking.length > 2);
  names.push(...unpacking);
  const words = codeWords(section(COMMAND_LINE, "## Environment"));
  deepStrictEqual(missing(names, words), []);
});

function* filesIn(folder: string): Generator<string> {
  const url = new URL(`../../${folder}`, import.meta.url);
  for (const { name, isDirectory } of Deno.readDirSync(url)) {
    if (isDirectory) yield* filesIn(`${folder}${name}/`);
    else yield Deno.readTextFileSync(new URL(name, url));
  }
}

Deno.test("docs/ir.md: every key that IR can have", () => {
  const keys = schemaKeys(flowSchema);
  ok(keys.size > 30, [...keys].join());
  for (const each of blockKeys()) keys.add(each);
  deepStrictEqual(missing(keys, codeWords(pageText("docs/ir.md"))), []);
});

/** Every key that a schema names, at any depth. */
function schemaKeys(schema: unknown): Set<string> {
  const keys = new Set<string>();
  JSON.stringify(schema, (key, value) => {
    if (key === "entries") Object.keys(value).forEach((each) => keys.add(each));
    return value;
  });
  return keys;
}

/** Keys of blocks in the golden IR, which has every kind. */
function* blockKeys(): Generator<string> {
  const golden = new URL("../golden/ir/", import.meta.url);
  for (const { name } of Deno.readDirSync(golden)) {
    const file = new URL(`${name}/ir.json`, golden);
    const { steps = [] } = JSON.parse(Deno.readTextFileSync(file));
    for (const { block } of steps) yield* Object.keys(block);
  }
}

Deno.test("docs/run-directory.md: every field of every file", () => {
  const fields = [
    ...schemaKeys(runMeta),
    ...schemaKeys(series),
    ...schemaKeys(histograms),
    ...schemaKeys(trace),
    ...JSON.parse(indexText([])).columns,
  ];
  ok(fields.length > 100);
  const words = codeWords(pageText("docs/run-directory.md"));
  deepStrictEqual(missing(fields, words), []);
});

Deno.test("docs/python.md: every name the SDK exports that a flow is written with", () => {
  const text = Deno.readTextFileSync(
    new URL("../../sdk/bench_sdk/__init__.py", import.meta.url),
  );
  const all = /__all__ = \[(.*?)\]/s.exec(text)![1]!;
  const names = [...all.matchAll(/"(\w+)"/g)].map(([, name]) => name!)
    .filter((name) => name !== "__version__");
  ok(names.length > 25);
  deepStrictEqual(missing(names, codeWords(pageText("docs/python.md"))), []);
});

Deno.test("docs/command-line.md: every field of a plan and of a diagnostic", async () => {
  const plan = await bench([
    "plan",
    "examples/shop.bench.yaml",
    "--target=demo",
    "--json",
  ]);
  const words = codeWords(pageText(COMMAND_LINE));
  const keys = [...keysIn(JSON.parse(plan.stdout))]
    .filter((key) => key !== "user");
  ok(keys.length > 15);
  deepStrictEqual(missing(keys, words), []);
});

Deno.test("docs/rpc.md: every key of the result of a method", async () => {
  await using server = recordingServer(() => rawResponse(200));
  using folder = workspace({});
  await using client = new RpcClient({ cwd: folder.path });
  const steps = [{ id: "a", call: "GET /" }];
  const about = { flow: { document: { value: { flow: "f", steps } } } };
  const calls: readonly [method: string, params: object][] = [
    ["initialize", {}],
    ["compile", about],
    ["validate", about],
    ["rows", about],
    ["plan", { ...about, target: server.url }],
    ["run", { ...about, target: server.url, store: "runs" }],
    ["runs", { store: "runs" }],
    ["report", { run: "latest", store: "runs" }],
    ["trace", { run: "latest", store: "runs" }],
    ["import", { from: "curl", source: [`curl ${server.url}/`] }],
    ["replay", { run: "latest", store: "runs", target: server.url }],
    ["cancel", { id: 99 }],
  ];
  const rows = pageText("docs/rpc.md").split("\n");
  for (const [index, [method, params]] of calls.entries()) {
    const { result, error } = await client.ask(index + 1, method, params);
    ok(result, `${method}: ${JSON.stringify(error)}`);
    const row = rows.find((line) => line.startsWith(`| \`${method}\` |`));
    deepStrictEqual(missing(Object.keys(result), codeWords(row!)), [], method);
  }
});

Deno.test("README.md and docs/comparison.md: what the program can do is not said to be missing", async () => {
  const table = pageText("docs/comparison.md").split("\n");
  for (const { name, command, shows, denied, row } of CAPABILITIES) {
    const { stdout } = await bench([...command, "--help"]);
    ok(stdout.includes(shows), `${name}: \`${shows}\` is not there any more`);
    for (const page of ["README.md", "docs/comparison.md"]) {
      doesNotMatch(pageText(page), denied, `${page} denies: ${name}`);
    }
    if (row === undefined) continue;
    const cells = table.find((line) => line.startsWith(`| ${row} |`));
    ok(cells, `docs/comparison.md has no row \`${row}\``);
    doesNotMatch(cells, /^\|[^|]*\| no \|/, `docs/comparison.md: ${name}`);
  }
});
