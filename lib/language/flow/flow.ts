import * as v from "valibot";
import type { JsonObject } from "../../base/values/json.ts";
import { readEntries } from "../fields/entries.ts";
import { optional, required } from "../fields/field.ts";
import { list } from "../fields/list.ts";
import { or } from "../fields/plain.ts";
import { name } from "../fields/scalars.ts";
import { DEFINED, payload } from "../fields/templates.ts";
import { type Fields, readAt, type Value } from "../fields/value.ts";
import type { Entry, Node } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import { locateAuth, readAuth } from "./auth.ts";
import { data, type Pool, pool } from "./pools.ts";
import { profile } from "./profile.ts";
import type { Registry } from "./registry.ts";
import { stepSchema } from "./step_form.ts";
import { readSteps, stepsValue } from "./steps.ts";

/** The IR version this program reads and writes. */
export const IR_VERSION = 1;

const flowName = name("a flow's name", nearName);
const pools = list(pool, { of: "pools" });

/** The IR, strictly; blocks stay sealed. */
export const flowSchema = v.strictObject({
  ir: v.literal(IR_VERSION),
  flow: flowName.schema,
  steps: v.array(stepSchema),
  profile: profile.schema,
  pools: v.exactOptional(pools.schema),
});
/** A flow in canonical form: meaning, not spelling. */
export type Flow = v.InferOutput<typeof flowSchema>;

/** A flow, and what the IR has on its steps alone. */
export interface ParsedFlow {
  readonly flow: Flow;
  /**
   * The flow's `auth`, which the steps that inherit it share. Its locations are
   * those of one more step after the last.
   */
  readonly defaultAuth?: JsonObject;
}

/** The keys of a flow file. */
export function flowFields(registry: Registry): Fields {
  const auth = { ...payload, form: DEFINED.auth };
  return {
    flow: required(
      flowName,
      "the flow's name: a letter or `_`, then letters, digits, `_` and `-`",
    ),
    profile: optional(
      profile,
      "how the flow is run; without it once, in `integration` mode",
    ),
    auth: optional(
      auth,
      "credentials of every request-making step that has no `auth` of its own",
    ),
    data: optional(
      data,
      "the fixture whose rows are read as `{{ user.<column> }}`",
    ),
    steps: required(
      stepsValue(registry),
      "what is done, in order; at least one step",
    ),
    pools: optional(pools, "named pools of fixture rows", { sdk: true }),
  };
}

/**
 * Reads the nodes of a flow. Every error of form is reported; rules that need
 * more than one step are `validateFlow`'s.
 *
 * @returns the flow, in which a step whose action could not be read has the
 *   empty kind, so that the rules across steps still see the rest; undefined
 *   without any steps to look at
 */
export function readFlow(
  root: Node,
  registry: Registry,
  reader: Reader,
): ParsedFlow | undefined {
  const entries = readEntries(
    root,
    flowFields(registry),
    "the flow file",
    reader,
    { foreign: reportVersion },
  );
  if (!entries) return;
  reader.locate("", root.at);
  const read = <T>(key: string, value: Value<T>, pointer = `/${key}`) => {
    const entry = entries.get(key);
    const slot = { pointer, what: `\`${key}\`` };
    return entry && readAt(value, entry.value, slot, reader);
  };
  const flow = read("flow", or(flowName, "_")) ?? "_";
  reader.locate("/profile", root.at);
  const written = read("profile", profile);
  const authNode = entries.get("auth")?.value;
  const auth = authNode && readAuth(authNode, registry.schemes, reader);
  const first = read("data", data, "/pools/0");
  const all = [
    ...first ? [first] : [],
    ...readPools(entries.get("pools"), first ? 1 : 0, reader),
  ];
  const stepsNode = entries.get("steps")?.value;
  if (!stepsNode) return;
  const slot = { pointer: "/steps", what: "`steps`" };
  reader.locate(slot.pointer, stepsNode.at);
  const steps = readSteps(stepsNode, slot, registry, auth, reader);
  if (!steps) return;
  if (auth) locateAuth(auth, `/steps/${steps.length}`, reader);
  return {
    flow: {
      ir: IR_VERSION,
      flow,
      steps,
      profile: written ?? { mode: "integration", vus: 1 },
      ...(all.length > 0 && { pools: all }),
    },
    ...(auth && { defaultAuth: auth.block }),
  };
}

/** @param from index in the IR of the first of them */
function readPools(
  entry: Entry | undefined,
  from: number,
  reader: Reader,
): Pool[] {
  if (!entry) return [];
  const { value } = entry;
  if (value.kind !== "list") {
    pools.read(value, { pointer: "/pools", what: "`pools`" }, reader);
    return [];
  }
  return value.items.flatMap((item, index) => {
    const slot = { pointer: `/pools/${from + index}`, what: "a pool" };
    return readAt(pool, item, slot, reader) ?? [];
  });
}

function nearName(text: string): string | undefined {
  const near = text.trim().replaceAll(/[^A-Za-z0-9_-]+/g, "_")
    .replace(/^(?=[\d-])/, "_");
  return near === "" ? undefined : `for example \`${near}\``;
}

/** Spec, Versioning: the YAML surface is v0 and has no version key. */
function reportVersion(
  { key, keyAt }: Entry,
  _what: string,
  reader: Reader,
): boolean {
  if (key !== "version") return false;
  reader.report({
    at: keyAt,
    code: "version-key",
    message:
      "a flow file has no `version`: this is the v0 format, which needs none",
    hint: "remove the line",
  });
  return true;
}
