import {
  DISTRIBUTIONS,
  EXHAUSTION,
  FORMATS,
  type Pool,
} from "../../model/ir/flow.ts";
import { child } from "../../base/values/pointer.ts";
import { type KeyTable, readMapping } from "../source/mapping.ts";
import { describe, type Node } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import { readChoice, readString } from "../source/scalars.ts";
import { checkName } from "./name.ts";

/** Where `data` binds its rows. */
const DATA_POOL = "user";

const POOL_KEYS = {
  name: { required: true, doc: "what templates call it" },
  path: { required: true, doc: "fixture file" },
  format: { doc: `${FORMATS.join(", ")}; by the path's ending when absent` },
  distribution: { doc: `${DISTRIBUTIONS.join(", ")}; the first when absent` },
  on_exhausted: { doc: `${EXHAUSTION.join(", ")}; the first when absent` },
} as const satisfies KeyTable;

/** Reads `data`: the one pool a flow file can have. */
export function readDataPool(node: Node, reader: Reader): Pool {
  reader.place("/pools/0", node.at);
  const path = readPath(node, "`data`", "/pools/0/path", reader);
  return {
    name: DATA_POOL,
    path,
    format: formatOf(path) ?? refuseEnding(path, "`data`", node, reader),
    distribution: "unique-per-vu",
    on_exhausted: "fail",
  };
}

/**
 * Reads `pools`, which only the SDK can say.
 *
 * @param first index in the IR of the first of them
 */
export function readNamedPools(
  node: Node,
  first: number,
  reader: Reader,
): Pool[] {
  if (node.kind !== "list") {
    reader.report({
      at: node.at,
      code: "wrong-type",
      message: `\`pools\` must be a list, but it is ${describe(node)}`,
    });
    return [];
  }
  return node.items.flatMap((item, index) =>
    readPool(item, `/pools/${first + index}`, reader) ?? []
  );
}

function readPool(
  node: Node,
  pointer: string,
  reader: Reader,
): Pool | undefined {
  reader.place(pointer, node.at);
  const fields = readMapping(node, POOL_KEYS, "a pool", reader);
  if (!fields) return;
  const at = (key: keyof typeof POOL_KEYS) => {
    const value = fields.get(key)?.value;
    if (value) reader.place(child(pointer, key), value.at);
    return value;
  };
  const [named, file, format] = [at("name"), at("path"), at("format")];
  const [distribution, exhausted] = [at("distribution"), at("on_exhausted")];
  const name = named && readString(named, "`name`", reader);
  const fits = name !== undefined &&
    checkName(name, "a pool's name", named!.at, reader);
  const path = file
    ? readPath(file, "`path`", child(pointer, "path"), reader)
    : "";
  return {
    name: fits ? name : "_",
    path,
    format: format
      ? readChoice(format, "`format`", FORMATS, reader) ?? "csv"
      : formatOf(path) ?? refuseEnding(path, "`path`", file ?? node, reader),
    distribution: distribution
      ? readChoice(distribution, "`distribution`", DISTRIBUTIONS, reader) ??
        "unique-per-vu"
      : "unique-per-vu",
    on_exhausted: exhausted
      ? readChoice(exhausted, "`on_exhausted`", EXHAUSTION, reader) ?? "fail"
      : "fail",
  };
}

/**
 * A path that cannot be read still makes the pool, so that the templates that
 * use it are not reported as well.
 */
function readPath(
  node: Node,
  what: string,
  pointer: string,
  reader: Reader,
): string {
  reader.place(pointer, node.at);
  const path = readString(node, what, reader) ?? "";
  if (path.includes("{{")) {
    reader.report({
      at: node.at,
      code: "template-not-allowed",
      message: `${what} is not templated: the file is read before the run`,
    });
    return "";
  }
  return path;
}

function formatOf(path: string): Pool["format"] | undefined {
  const ending = /\.(csv|json)$/i.exec(path)?.[1]?.toLowerCase();
  return FORMATS.find((format) => format === ending);
}

function refuseEnding(
  path: string,
  what: string,
  node: Node,
  reader: Reader,
): Pool["format"] {
  if (path !== "") {
    reader.report({
      at: node.at,
      code: "bad-fixture",
      message: `a fixture is a .csv or a .json file, but ${what} is "${path}"`,
    });
  }
  return "csv";
}
