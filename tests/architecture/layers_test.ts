import { deepStrictEqual, ok } from "node:assert/strict";

/**
 * Who may import whom. A folder not named on the right is off limits.
 * This table is the architecture; the tests below hold the code to it.
 */
const MAY_IMPORT: Readonly<Record<string, string>> = {
  "base/errors": "",
  "base/values": "base/errors",
  "model/result": "base/values",
  "base/process": "model/result",
  "base/time": "",
  "wire/net": "base/values model/result base/time",
  "wire/http1": "base/values model/result base/time wire/net",
  "wire/http2/frames": "",
  "wire/http2/hpack": "wire/net wire/http2/frames",
  "wire/http2":
    "base/values model/result base/time wire/net wire/http2/frames wire/http2/hpack",
  "wire/websocket": "base/values base/time wire/net",
  "wire/http": "model/result wire/net wire/http1 wire/http2 base/time",
  "results/samples":
    "base/errors base/values model/result base/time wire/net wire/http1 wire/http",
  "wire/server": "base/time wire/net",
  agent:
    "base/errors base/values model/result base/process base/time wire/server results/samples",
  "base/text": "base/errors",
  "model/ir": "base/values base/text",
  "language/patterns": "base/errors base/values",
  "language/json_path": "base/errors base/values base/text language/patterns",
  "language/expressions":
    "base/errors base/values base/text model/ir language/patterns language/json_path",
  "engine/data":
    "base/values base/time base/text model/ir language/expressions",
  "engine/plan": "base/values base/text model/ir",
  "language/source":
    "base/errors base/values base/text model/ir language/expressions",
  "steps/url_template.ts": "wire/net wire/http1 language/expressions",
  "steps/auth":
    "base/errors base/values base/time base/text model/ir language/expressions language/source steps/url_template.ts",
  "steps/protocol.ts":
    "base/values model/result wire/net wire/http base/text model/ir language/expressions language/source steps/auth",
  "steps/http":
    "base/values model/result wire/net wire/http1 wire/http2/hpack wire/http2 wire/http base/text model/ir language/expressions language/source steps/url_template.ts steps/auth steps/protocol.ts",
  "steps/graphql":
    "base/values model/result base/text model/ir language/expressions language/source steps/protocol.ts steps/http",
  "steps/grpc/protobuf": "base/errors base/values base/text",
  "steps/grpc":
    "base/errors base/values model/result wire/net wire/http1 wire/http2/frames wire/http2/hpack wire/http2 base/text model/ir language/expressions language/source steps/auth steps/protocol.ts steps/http steps/grpc/protobuf",
  "steps/poll.ts":
    "base/values model/ir language/source steps/protocol.ts steps/http",
  "steps/wait.ts": "language/source steps/protocol.ts steps/http",
  "steps/ws":
    "base/values model/result wire/net wire/http1 base/text model/ir language/expressions language/source steps/protocol.ts steps/http wire/websocket",
  "steps/registry.ts":
    "base/values model/ir steps/protocol.ts steps/http steps/graphql steps/grpc steps/poll.ts steps/wait.ts steps/ws",
  "language/validate":
    "base/errors base/values base/text model/ir language/json_path language/expressions steps/auth steps/protocol.ts steps/registry.ts",
  "engine/preflight":
    "wire/net base/text model/ir language/expressions engine/data steps/protocol.ts steps/registry.ts language/validate",
  "language/parse":
    "base/errors base/values base/text model/ir language/json_path language/expressions language/source steps/auth steps/protocol.ts steps/http steps/registry.ts",
  "compile.ts":
    "base/text model/ir engine/data engine/plan language/source language/validate engine/preflight language/parse",
  "language/editor":
    "base/errors base/values base/text language/json_path language/expressions language/source steps/auth steps/protocol.ts steps/registry.ts language/parse docs",
  "results/report":
    "base/errors base/values model/result results/statistics model/ir language/expressions",
  "results/statistics": "base/values model/result base/time",
  "results/formats": "model/result base/text results/report",
  "results/redact": "model/result",
  "results/store":
    "base/errors model/result base/text language/expressions results/redact",
  "engine/outcome": "model/result model/ir",
  "engine/limiter": "base/time engine/plan model/result",
  "engine/vu":
    "base/errors base/values model/result base/time wire/net wire/http1 wire/http model/ir language/expressions engine/data engine/plan steps/auth steps/protocol.ts steps/registry.ts engine/outcome engine/limiter",
  "engine/schedule":
    "model/result wire/http engine/data engine/plan engine/vu engine/limiter",
  "results/failures": "base/values model/result results/redact",
  "results/histograms": "model/result",
  "results/traces": "model/result base/time results/failures",
  "results/record":
    "base/values model/result results/failures results/histograms results/traces",
  "engine/workers":
    "language/source model/result base/time wire/net results/samples model/ir engine/data engine/plan steps/auth engine/vu engine/schedule results/failures results/traces results/record engine/limiter",
  "results/knee":
    "base/values model/result results/samples model/ir language/expressions results/report",
  "engine/run_context":
    "base/errors base/values model/result base/time wire/net wire/http1 results/samples base/text model/ir engine/plan steps/registry.ts engine/preflight results/report results/redact results/store engine/vu results/histograms results/statistics results/traces results/record engine/workers results/knee",
  "run.ts":
    "base/errors base/values base/process wire/net results/samples base/text compile.ts results/report results/redact results/store engine/vu results/traces results/record engine/workers engine/run_context",
  "viewer/markup": "",
  "viewer/client": "",
  "viewer/model":
    "model/result results/samples results/report results/store results/failures results/traces",
  "viewer/store":
    "model/result base/time model/ir results/store results/histograms viewer/model",
  "viewer/chart": "model/result results/report viewer/markup viewer/model",
  "viewer/page":
    "base/values model/result base/time results/report results/store viewer/markup viewer/client viewer/model viewer/store viewer/chart",
  "viewer/export":
    "base/values model/result results/report results/formats results/store viewer/model viewer/store viewer/page",
  "viewer/api":
    "model/result results/store viewer/model viewer/store viewer/chart viewer/page viewer/export",
  viewer:
    "model/result base/time wire/server results/store viewer/client viewer/store viewer/page viewer/export viewer/api",
  "cli/import/draft": "base/errors base/values language/source",
  "cli/import/curl": "base/text cli/import/draft",
  cli:
    "base/errors base/values model/result base/process base/time agent base/text model/ir engine/plan language/source compile.ts language/editor results/report results/formats results/store run.ts viewer cli/import/draft cli/import/curl",
  "main.ts": "cli",
  "mod.ts": "model/result base/text model/ir compile.ts results/store run.ts",
};

const ROOT = new URL("../../", import.meta.url);

/**
 * `lib/model/ir/flow.ts` is in `model/ir`; `lib/steps/poll.ts` is
 * `steps/poll.ts`; `lib/run.ts` is `run.ts`; `viewer/chart/scale.ts` is in
 * `viewer/chart`, `cli/demo/shop.ts` in `cli`,
 * `cli/import/curl/bash_words.ts` in `cli/import/curl`.
 */
function layer(path: string): string {
  const [top, ...rest] = path.split("/");
  if (top === "viewer" || rest[0] === "import") {
    return [top, ...rest.slice(0, -1)].join("/");
  }
  if (top !== "lib") return top!;
  return (rest.length > 2 ? rest.slice(0, -1) : rest).join("/");
}

function* files(folder: string): Generator<string> {
  for (const entry of Deno.readDirSync(new URL(folder, ROOT))) {
    const path = folder + entry.name;
    if (entry.isDirectory) yield* files(path + "/");
    else if (/\.tsx?$/.test(path)) yield path;
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
  const folders = ["lib/", "cli/", "agent/", "viewer/"].filter(exists);
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

Deno.test("only lib/base/time reads the clock and draws chance", () => {
  const offenders = sources().filter((path) =>
    path.startsWith("lib/") && layer(path) !== "base/time" &&
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
