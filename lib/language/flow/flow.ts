import * as v from "valibot";
import type { JsonObject } from "../../base/values/json.ts";
import { readEntries } from "../fields/entries.ts";
import { optional, required } from "../fields/field.ts";
import { itemsOf, list } from "../fields/list.ts";
import { name } from "../fields/scalars.ts";
import { DEFINED, payload } from "../fields/templates.ts";
import { Slot } from "../fields/slot.ts";
import type { Fields } from "../fields/value.ts";
import type { Entry, Node } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import { locateAuth, readDefaultAuth } from "./auth.ts";
import { data, type Pool, pool } from "./pools.ts";
import { profile } from "./profile.ts";
import type { Registry } from "./registry.ts";
import { stepSchema } from "./step_form.ts";
import { readSteps, stepsValue } from "./steps.ts";

/** The IR version this program reads and writes. */
export const IR_VERSION = 1;

const flowName = name("a flow's name", nearName);
const POOLS = { of: "pools" };
const pools = list(pool, POOLS);

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
  const file = new Slot(root, "", "the flow file", reader);
  const fields = flowFields(registry);
  const entries = readEntries(file, fields, { foreign: reportVersion });
  if (!entries) return;
  reader.locate("", root.at);
  reader.locate("/profile", root.at);
  const slotOf = (key: string) => {
    const node = entries.get(key)?.value;
    return node && file.below(key, node, `\`${key}\``);
  };
  const flow = slotOf("flow")?.read(flowName) ?? "_";
  const written = slotOf("profile")?.read(profile);
  const auth = slotOf("auth");
  const defaultAuth = auth && readDefaultAuth(auth, registry.schemes);
  const all = readPools(slotOf("data"), slotOf("pools"));
  const list = slotOf("steps");
  const steps = list && readSteps(list, registry, defaultAuth);
  if (!steps) return;
  if (defaultAuth) locateAuth(defaultAuth, `/steps/${steps.length}`, reader);
  return {
    flow: {
      ir: IR_VERSION,
      flow,
      steps,
      profile: written ?? { mode: "integration", vus: 1 },
      ...(all.length > 0 && { pools: all }),
    },
    ...(defaultAuth && { defaultAuth: defaultAuth.block }),
  };
}

/** `data` is the first pool. */
function readPools(one: Slot | undefined, more: Slot | undefined): Pool[] {
  const first = one &&
    new Slot(one.node, "/pools/0", one.what, one.reader).read(data);
  const all = first ? [first] : [];
  const rest = more ? itemsOf(more, POOLS) : [];
  return all.concat(
    rest.flatMap((item, index) =>
      more!.below(all.length + index, item, "a pool").read(pool) ?? []
    ),
  );
}

function nearName(text: string): string | undefined {
  const near = text.trim().replaceAll(/[^A-Za-z0-9_-]+/g, "_")
    .replace(/^(?=[\d-])/, "_");
  return near === "" ? undefined : `for example \`${near}\``;
}

/** Spec, Versioning: the YAML surface is v0 and has no version key. */
function reportVersion({ key, keyAt }: Entry, slot: Slot): boolean {
  if (key !== "version") return false;
  slot.report({
    at: keyAt,
    code: "version-key",
    message:
      "a flow file has no `version`: this is the v0 format, which needs none",
    hint: "remove the line",
  });
  return true;
}
