import { deepStrictEqual, ok } from "node:assert/strict";
import { flowSchema } from "../../lib/language/flow/flow.ts";
import { runMeta } from "../../lib/model/result/run.ts";
import { EXIT } from "../../lib/base/errors/exit.ts";
import { bench } from "../support/bench.ts";
import { spawnAgent } from "../support/live_agent.ts";
import { pageText } from "../support/docs/blocks.ts";
import {
  codeWords,
  firstColumn,
  keysIn,
  members,
  section,
} from "../support/docs/reference.ts";

/*
 * What a reference page lists is what there is: flags, keys and fields are
 * taken from the program, and looked for on the page.
 */

const COMMAND_LINE = "docs/command-line.md";

/** Those of `names` that `words` does not have. */
function missing(
  names: Iterable<string>,
  words: ReadonlySet<string>,
): string[] {
  return [...new Set(names)].filter((each) => !words.has(each)).sort();
}

Deno.test("docs/command-line.md: every command and every flag of --help, and no others", async () => {
  const help = async (...words: string[]) =>
    (await bench([...words, "--help"])).stdout;
  const flags = (text: string) =>
    [...text.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag]) => flag!);
  const main = await help();
  const commands = [...main.matchAll(/^ {2}(\w+) [[<]/gm)]
    .map(([, name]) => name!).filter((name) => name !== "help");
  ok(commands.length > 8, main);
  const everywhere = flags(main);
  const intro = codeWords(pageText(COMMAND_LINE).split("\n## ")[0]!);
  deepStrictEqual(missing(everywhere, intro), []);
  for (const name of commands) {
    const text = section(COMMAND_LINE, `## bench ${name}`);
    const own = flags(await help(name)).filter((flag) => flag !== "--help");
    const said = firstColumn(text).flatMap((cell) =>
      cell.match(/--[\w-]+/g) ?? []
    );
    const known = new Set([...own, ...everywhere]);
    deepStrictEqual(missing(own, codeWords(text)), [], name);
    deepStrictEqual(missing(said, known), [], name);
  }
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
  const fields = members("lib/model/result/agent.ts");
  deepStrictEqual(missing([...flags, ...fields], words), []);
});

Deno.test("docs/command-line.md: every exit code, and no others", () => {
  const rows = [
    ...section(COMMAND_LINE, "## Exit codes").matchAll(/^\| ([\d, ]+) \|/gm),
  ];
  const codes = rows.flatMap(([, cell]) => cell!.split(", ").map(Number));
  deepStrictEqual(codes, Object.values(EXIT));
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

/** Sections of docs/flow-file.md, and where the schema has their keys. */
const FLOW_SECTIONS: Readonly<Record<string, readonly string[]>> = {
  "## The file": [],
  "## `profile`": ["profile"],
  "## Steps": ["steps"],
  "## `poll`": ["steps", "poll"],
  "## `graphql`": ["steps", "graphql"],
  "## `grpc`": ["steps", "grpc"],
  "## `ws`": ["steps", "ws"],
  "## `retry`": ["steps", "retry"],
  "## `throttle`": ["steps", "throttle"],
};

// deno-lint-ignore no-explicit-any -- a JSON Schema, walked by name
type Schema = any;

Deno.test("docs/flow-file.md: every key of the schema in its section, and no others", async () => {
  const schema = JSON.parse((await bench(["schema", "flow"])).stdout);
  for (const [heading, path] of Object.entries(FLOW_SECTIONS)) {
    const node = path.reduce(
      (at: Schema, key) => (at.items ?? at).properties[key],
      schema,
    );
    const { properties } = node.items ?? node;
    const text = section("docs/flow-file.md", heading);
    const listed = firstColumn(text.split(/^\| (?!key)\w+ \|/m)[0]!)
      .filter((word) => !word.includes("."));
    // A step's actions have sections of their own.
    const keys = Object.keys(properties)
      .filter((key) => heading !== "## Steps" || !ACTIONS.includes(key));
    deepStrictEqual(listed.toSorted(), keys.toSorted(), heading);
  }
});

const ACTIONS = ["call", "poll", "graphql", "grpc", "ws", "wait"];

Deno.test("docs/flow-file.md: every auth scheme with its fields, and every word there is a choice of", async () => {
  const schema = JSON.parse((await bench(["schema", "flow"])).stdout);
  const auth = codeWords(section("docs/flow-file.md", "## `auth`"));
  const forms: Schema[] = schema.$defs.auth.oneOf;
  ok(forms.length > 6);
  const fields = forms.flatMap(({ properties }) => Object.keys(properties));
  const schemes = forms.map(({ properties }) => properties.scheme.const);
  deepStrictEqual(missing([...fields, ...schemes], auth), []);
  const choices: string[] = [];
  JSON.stringify(schema, (key, value) => {
    if (key === "enum") choices.push(...value);
    return value;
  });
  ok(choices.length > 10);
  const words = codeWords(pageText("docs/flow-file.md"));
  deepStrictEqual(missing(choices, words), []);
});

Deno.test("docs/target-file.md: every key of the schema, and no others", async () => {
  const schema = JSON.parse((await bench(["schema", "target"])).stdout);
  const listed = firstColumn(pageText("docs/target-file.md"));
  const keys = Object.keys(schema.properties);
  deepStrictEqual(listed.toSorted(), keys.toSorted());
});

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
    for (const { block } of JSON.parse(Deno.readTextFileSync(file)).steps) {
      yield* Object.keys(block);
    }
  }
}

Deno.test("docs/run-directory.md: every field of every file", () => {
  const fields = [
    ...schemaKeys(runMeta),
    ...members("lib/model/result/series.ts"),
    ...members("lib/model/result/trace.ts"),
    ...members("lib/model/result/failure.ts"),
    ...members("lib/model/result/response.ts", /^CapturedMessage$/),
    ...members("lib/results/store/trace_index.ts", /^TraceEntry$/),
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
