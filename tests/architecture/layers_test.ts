import { deepStrictEqual, ok } from "node:assert/strict";
import { imports, sources, textOf } from "./program.ts";

/** Who may import whom: what is not named on the right is off limits. */
type Table = Readonly<Record<string, string>>;

/**
 * The rooms of the program. A room imports only what is above it; these two
 * tables are the architecture, and the tests below hold the code to them.
 */
const ROOMS: Table = {
  "base": "",
  "model": "base",
  "language": "base model",
  "openapi": "base model language",
  "wire": "base model",
  "steps": "base model language wire",
  "results": "base model language wire",
  "engine": "base model language openapi wire steps results",
  "compile.ts": "base language steps engine",
  "run.ts": "base wire results engine compile.ts",
  "shards.ts": "base model engine compile.ts",
  "agent": "base model wire results",
  "viewer": "base model results",
  "cli":
    "base model language openapi wire steps results engine compile.ts run.ts shards.ts agent viewer",
  "main.ts": "base cli",
  "mod.ts": "base model language results compile.ts run.ts",
};

/** The folders of a room, and the files beside them; `.` are the files of the room itself. */
const FOLDERS: Readonly<Record<string, Table>> = {
  base: {
    "errors": "",
    "process": "values",
    "text": "errors",
    "time": "process",
    "values": "errors text",
  },
  model: {
    "course.ts": "",
    "mode.ts": "",
    "outcome.ts": "",
    "metrics.ts": "outcome.ts",
    "result": "outcome.ts metrics.ts",
  },
  language: {
    "patterns": "",
    "json_path": "patterns",
    "html": "",
    "expressions": "patterns json_path",
    "source": "",
    "fields": "expressions source",
    "flow": "json_path expressions source fields",
    "editor": "json_path expressions source fields flow",
    "ir.ts": "expressions flow",
    "validate": "patterns source json_path expressions fields flow ir.ts",
  },
  openapi: {
    "swagger.ts": "",
    "description.ts": "swagger.ts",
    "paths.ts": "",
    "operations.ts": "description.ts",
    "schema.ts": "description.ts",
    "contract.ts": "description.ts operations.ts schema.ts",
    "schema_compiler.ts": "schema.ts",
    "check.ts": "paths.ts contract.ts schema_compiler.ts",
  },
  wire: {
    "net": "",
    "http1": "net",
    "http2/frames": "",
    "http2/hpack": "net http2/frames",
    "http2": "net http2/frames http2/hpack",
    "http": "net http1 http2",
    "server": "net",
    "websocket": "net",
    "rehearsal": "net http2/frames http2/hpack websocket",
  },
  steps: {
    "url_template.ts": "",
    "auth": "url_template.ts",
    "cookie_jar.ts": "",
    "protocol.ts": "auth cookie_jar.ts",
    "http": "url_template.ts auth cookie_jar.ts protocol.ts",
    "graphql": "protocol.ts http",
    "grpc/protobuf": "",
    "grpc": "auth protocol.ts http grpc/protobuf",
    "poll.ts": "protocol.ts http",
    "wait.ts": "protocol.ts",
    "ws": "cookie_jar.ts protocol.ts http",
    "registry.ts": "auth protocol.ts http graphql grpc poll.ts wait.ts ws",
  },
  results: {
    "redact": "",
    "failures": "redact",
    "statistics": "",
    "report": "statistics",
    "histograms": "",
    "comparison": "statistics histograms store",
    "replay": "",
    "formats": "failures report comparison replay",
    "samples": "",
    "knee": "report samples",
    "traces": "failures histograms",
    "exposition": "histograms",
    "record": "exposition failures histograms traces",
    "store": "redact",
  },
  engine: {
    "data": "",
    "plan": "",
    "limiter": "plan",
    "outcome": "",
    "preflight": "data",
    "vu": "data plan limiter outcome",
    "schedule": "data plan limiter vu",
    "workers": "data plan limiter vu schedule",
    "run_context": "plan preflight limiter vu workers",
    "shards": "plan preflight limiter vu workers",
    "merge": "run_context workers",
  },
  viewer: {
    "markup": "",
    "model": "",
    "chart": "markup model",
    "client": "",
    "store": "model",
    "page": "markup model chart client store",
    "export": "model store page",
    "api": "model chart store page export",
    ".": "model client store page export api",
  },
  cli: {
    "terminal": "",
    "inputs": "terminal",
    "options": "terminal inputs",
    "completions": "terminal",
    "shards": "terminal inputs options",
    "view": "terminal inputs options",
    "run": "terminal inputs options shards view",
    "flow": "terminal inputs options",
    "judge": "terminal inputs options run",
    "kubernetes": "terminal inputs options flow",
    "demo": "terminal inputs options run",
    "import/draft": "",
    "import/curl": "import/draft",
    "import/har": "import/draft",
    "import/openapi": "import/draft",
    "import/postman": "import/draft",
    "import":
      "terminal inputs options run flow import/draft import/curl import/har import/openapi import/postman",
    "rpc": "terminal inputs options flow run judge shards import",
    "mcp": "terminal inputs options rpc",
    "lsp": "inputs rpc",
    ".":
      "terminal options completions shards view run flow judge kubernetes demo import rpc mcp lsp",
  },
};

/**
 * Where a file is: `lib/steps/grpc/response.ts` is in `grpc` of `steps`,
 * `lib/steps/poll.ts` is `poll.ts` of it, `viewer/server.ts` is in `.` of
 * `viewer`.
 */
function folderOf(path: string): { room: string; folder: string } {
  const [top = "", ...below] = path.split("/");
  const [room, ...rest] = top === "lib" ? below : [top, ...below];
  const folders = rest.slice(0, -1).join("/");
  const folder = room === "agent" ? "." : folders ||
    (top === "lib" ? rest.join() : ".");
  return { room: room!, folder };
}

interface Edge {
  /** The table that has to permit it; absent within a folder. */
  readonly table?: string;
  readonly from: string;
  readonly to: string;
  readonly files: string;
}

/** What the program needs of the tables. */
function needed(): Edge[] {
  return imports().map(([file, other]) => {
    const [from, to] = [folderOf(file), folderOf(other)];
    const files = `${file} -> ${other}`;
    if (from.room !== to.room) {
      return { table: "rooms", from: from.room, to: to.room, files };
    }
    const edge = { from: from.folder, to: to.folder, files };
    return from.folder === to.folder ? edge : { table: from.room, ...edge };
  });
}

const TABLES = { rooms: ROOMS, ...FOLDERS } as Readonly<Record<string, Table>>;

function permitted(table: string, from: string): string[] {
  return (TABLES[table]?.[from] ?? "").split(" ").filter((to) => to !== "");
}

function assertNoRing(graph: ReadonlyMap<string, readonly string[]>): void {
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

Deno.test("every import follows the tables of rooms and folders", () => {
  const all = needed();
  ok(all.length > 1_000, "the import scan found the program");
  const offences = all.filter(({ table, from, to }) =>
    table !== undefined && !permitted(table, from).includes(to)
  );
  deepStrictEqual(offences.map(({ files }) => files), []);
});

Deno.test("a room imports only rooms that are above it in the table", () => {
  const order = Object.keys(ROOMS);
  const upwards = order.flatMap((room, index) =>
    permitted("rooms", room).filter((each) => order.indexOf(each) >= index)
      .map((each) => `${room} -> ${each}`)
  );
  deepStrictEqual(upwards, []);
});

Deno.test("the tables permit nothing that is not needed", () => {
  const used = new Set(
    needed().map(({ table, from, to }) => `${table}: ${from} -> ${to}`),
  );
  const idle = Object.entries(TABLES).flatMap(([table, rows]) =>
    Object.keys(rows).flatMap((from) =>
      permitted(table, from).map((to) => `${table}: ${from} -> ${to}`)
    )
  ).filter((each) => !used.has(each));
  deepStrictEqual(idle, []);
});

Deno.test("every room and every folder of the program is in the tables", () => {
  const unknown = sources().map(folderOf).filter(({ room, folder }) =>
    !(room in ROOMS) ||
    (room in FOLDERS ? !(folder in FOLDERS[room]!) : /^[^.]/.test(folder))
  ).map(({ room, folder }) => `${room}: ${folder}`);
  deepStrictEqual([...new Set(unknown)], []);
});

Deno.test("parts of Node that every start would load are left to lib/base/values/paths.ts", () => {
  const loaders = sources().filter((path) =>
    /\bfrom "node:path(?:\/\w+)?"/.test(textOf(path))
  );
  deepStrictEqual(loaders, []);
});

Deno.test("the tables have no ring", () => {
  for (const [name, table] of Object.entries(TABLES)) {
    assertNoRing(
      new Map(Object.keys(table).map((from) => [from, permitted(name, from)])),
    );
  }
});

Deno.test("no files import each other in a ring", () => {
  const graph = new Map<string, string[]>();
  for (const [from, to] of imports()) {
    graph.set(from, [...(graph.get(from) ?? []), to]);
  }
  assertNoRing(graph);
});

Deno.test("only lib/base/time reads the clock and draws chance", () => {
  const offenders = sources().filter((path) =>
    path.startsWith("lib/") && !path.startsWith("lib/base/time/") &&
    /\b(?:Date\.now|performance\.now|Math\.random|new Date\(\))/.test(
      textOf(path),
    )
  );
  deepStrictEqual(offenders, []);
});

Deno.test("no source file is longer than 400 lines", () => {
  const long = sources().map((path) => ({
    path,
    lines: textOf(path).split("\n").length - 1,
  })).filter(({ lines }) => lines > 400);
  deepStrictEqual(long, []);
});
