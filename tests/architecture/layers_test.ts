import { deepStrictEqual, ok } from "node:assert/strict";

/**
 * Who may import whom. A folder not named on the right is off limits.
 * This table is the architecture; the tests below hold the code to it.
 */
const MAY_IMPORT: Readonly<Record<string, string>> = {
  values: "",
  text: "",
  time: "",
  ir: "values",
  authority: "",
  result: "values",
  process: "result",
  expr: "values text ir",
  source: "values text ir expr",
  wire: "values time result",
  auth: "values time source expr",
  data: "values text time ir expr",
  outcome: "ir result",
  protobuf: "values text",
  protocols: "values text ir result expr source wire auth protobuf",
  parse: "values text ir source expr auth protocols",
  validate: "values text ir expr auth protocols",
  plan: "values ir",
  schema: "values expr source auth parse",
  preflight: "text ir source expr data protocols validate wire",
  engine: "values time ir result expr auth data outcome protocols plan wire",
  threads: "time ir result expr auth data plan wire engine record",
  redact: "result",
  record: "values time result",
  monitor: "values time result wire",
  report: "values text ir result expr",
  store: "text result redact",
  demo: "values time",
  "compile.ts":
    "text ir expr source wire data protocols parse validate plan preflight",
  ledger:
    "values text time ir result wire plan engine threads redact record report store monitor compile.ts",
  "run.ts":
    "values text wire engine threads ledger redact record monitor report store compile.ts",
  cli:
    "agent authority process values text time ir result plan report schema store demo compile.ts run.ts",
  viewer: "values time result record report store",
  agent: "authority process values result monitor",
  "mod.ts": "text ir result compile.ts run.ts store",
  "main.ts": "cli viewer",
};

const ROOT = new URL("../../", import.meta.url);

/** `lib/ir/flow.ts` is in `ir`; `lib/run.ts` is `run.ts`; `viewer/html.ts` is in `viewer`. */
function layer(path: string): string {
  const parts = path.split("/");
  return parts[0] === "lib" ? parts[1]! : parts[0]!;
}

function* files(folder: string): Generator<string> {
  for (const entry of Deno.readDirSync(new URL(folder, ROOT))) {
    const path = folder + entry.name;
    if (entry.isDirectory) yield* files(path + "/");
    else if (path.endsWith(".ts")) yield path;
  }
}

function exists(path: string): boolean {
  try {
    Deno.statSync(new URL(path, ROOT));
    return true;
  } catch {
    return false;
  }
}

/** Every source file of the program. */
function sources(): string[] {
  const folders = ["lib/", "agent/", "viewer/"].filter(exists);
  const tops = ["main.ts", "mod.ts"].filter(exists);
  return [...tops, ...folders.flatMap((folder) => [...files(folder)])];
}

/** Every local import in the program: type-only and dynamic ones too. */
function edges(): [from: string, to: string][] {
  return sources().flatMap((from) => {
    const text = Deno.readTextFileSync(new URL(from, ROOT));
    const specifiers = [
      ...text.matchAll(/^(?:import|export)\b[^;]*?"(\.[^"]+)"/gms),
      ...text.matchAll(/\bimport\(\s*"(\.[^"]+)"/g),
    ];
    return specifiers.map(([, specifier]): [string, string] => [
      from,
      new URL(specifier!, new URL(from, ROOT)).href.slice(ROOT.href.length),
    ]);
  });
}

function assertNoRing(graph: Map<string, string[]>): void {
  const done = new Set<string>();
  const walk = (node: string, path: readonly string[]): void => {
    if (path.includes(node)) {
      throw new Error(`Ring: ${[...path, node].join(" -> ")}`);
    }
    if (done.has(node)) return;
    for (const next of graph.get(node) ?? []) walk(next, [...path, node]);
    done.add(node);
  };
  for (const node of graph.keys()) walk(node, []);
}

Deno.test("every import follows the layer table", () => {
  const all = edges();
  ok(all.length > 100, "the import scan found the program");
  const offences = all.filter(([from, to]) =>
    layer(from) !== layer(to) &&
    !MAY_IMPORT[layer(from)]?.split(" ").includes(layer(to))
  );
  deepStrictEqual(offences, []);
});

Deno.test("the layer table permits nothing that nobody needs", () => {
  const used = new Set(edges().map((each) => each.map(layer).join(" -> ")));
  const idle = Object.entries(MAY_IMPORT).flatMap(([from, permitted]) =>
    permitted.split(" ").filter((each) => each !== "")
      .map((to) => `${from} -> ${to}`)
  ).filter((each) => !used.has(each));
  deepStrictEqual(idle, []);
});

Deno.test("every folder of the program stands in the layer table", () => {
  const unknown = sources().map(layer).filter((each) => !(each in MAY_IMPORT));
  deepStrictEqual([...new Set(unknown)], []);
});

Deno.test("the layer table has no ring", () => {
  assertNoRing(
    new Map(
      Object.entries(MAY_IMPORT).map(([from, to]) => [
        from,
        to.split(" ").filter((each) => each !== ""),
      ]),
    ),
  );
});

Deno.test("no files import each other in a ring", () => {
  const graph = new Map<string, string[]>();
  for (const [from, to] of edges()) {
    graph.set(from, [...(graph.get(from) ?? []), to]);
  }
  assertNoRing(graph);
});

Deno.test("only lib/time reads the clock and draws chance", () => {
  const offenders = sources().filter((path) =>
    path.startsWith("lib/") && layer(path) !== "time" &&
    /\b(?:Date\.now|performance\.now|Math\.random|new Date\(\))/.test(
      Deno.readTextFileSync(new URL(path, ROOT)),
    )
  );
  deepStrictEqual(offenders, []);
});

Deno.test("no source file is longer than 260 lines", () => {
  const long = sources().map((path) => ({
    path,
    lines: Deno.readTextFileSync(new URL(path, ROOT)).split("\n").length - 1,
  })).filter(({ lines }) => lines > 260);
  deepStrictEqual(long, []);
});
