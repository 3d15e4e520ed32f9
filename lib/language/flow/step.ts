import type { JsonObject } from "../../base/values/json.ts";
import { anyObject } from "../../base/values/json_schema.ts";
import { child } from "../../base/values/pointer.ts";
import { type Find, readEntries } from "../fields/entries.ts";
import { readFields } from "../fields/read_fields.ts";
import { DEFINED } from "../fields/templates.ts";
import { type Fields, readAt, type Value } from "../fields/value.ts";
import type { Entry, Node } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import { readAction, reportInside, reportMisplaced, takes } from "./action.ts";
import { assertions } from "./assertions.ts";
import { locateAuth, readAuth, type WrittenAuth } from "./auth.ts";
import type { Kind } from "./kind.ts";
import { blockKeys, type Registry } from "./registry.ts";
import { STEP, type Step } from "./step_form.ts";

/** What a step is read with. */
interface StepContext {
  readonly registry: Registry;
  /** The flow's default. */
  readonly auth: WrittenAuth | undefined;
  readonly reader: Reader;
  /** The keys of a step: `stepFields`. */
  readonly fields: Fields;
}

/** A key whose value is read by other means than its form. */
function opaque(form: Value<unknown>["form"]): Value<JsonObject> {
  return { form, schema: anyObject, read: () => undefined };
}

/** The keys of a step, in the order they are listed to a person. */
export function stepFields(registry: Registry): Fields {
  const { id, on_failure, capture, ...common } = STEP;
  const actions = [...registry.kinds.values()].map(({ kind, doc, block }) => {
    const value = { ...opaque(block.form), inside: block.inside ?? {} };
    return [kind, { value, doc, required: false }] as const;
  });
  return {
    id,
    ...Object.fromEntries(actions),
    ...blockKeys(registry),
    ...common,
    auth: {
      value: opaque(DEFINED.auth),
      doc: "the step's own credentials; they replace the flow's",
      required: false,
    },
    on_failure,
    capture,
  };
}

/**
 * Reads one step. What cannot be read is left out, and an action that cannot be
 * read gives the empty kind.
 */
export function readStep(
  node: Node,
  index: number,
  context: StepContext,
): Step {
  const { registry, reader, fields } = context;
  const pointer = `/steps/${index}`;
  const what = nameOf(node, index);
  reader.locate(pointer, node.at);
  const action = readAction(node, what, registry.kinds, reader);
  const entries = readEntries(node, fields, what, reader, {
    foreign: reportCondition,
  });
  action.reportMissing(entries?.node);
  // Unlike any written id, so that it clashes with none.
  const nameless = `?${index}`;
  if (!entries) {
    return { id: nameless, kind: "", block: {}, on_failure: "record" };
  }
  const { kind } = action;
  const find: Find = (key) =>
    kind && key in STEP_ONLY && !takes(kind, key)
      ? undefined
      : entries.get(key);
  if (kind) {
    const keys = Object.keys(fields).filter((key) => fields[key]!.written);
    reportMisplaced(entries.get, kind, what, keys, reader);
  }
  const block = kind && readBlock(kind, entries.get, pointer, reader);
  const id = entries.get("id");
  const idSlot = { pointer: child(pointer, "id"), what: "`id`" };
  return {
    ...readFields(commonFields(kind), find, { pointer, what }, reader),
    id: (id && readAt(STEP.id.value, id.value, idSlot, reader)) ?? nameless,
    kind: kind && block ? kind.kind : "",
    block: block ?? {},
    ...readStepAuth(entries.get("auth"), kind, block, pointer, context),
  } as Step;
}

const { id: _id, on_failure: _on_failure, capture: _capture, ...STEP_ONLY } =
  STEP;

function commonFields(kind: Kind | undefined): Fields {
  const { id: _, ...fields } = STEP;
  const statuses = kind?.statusNames;
  if (!statuses) return fields;
  return {
    ...fields,
    assert: { ...STEP.assert, value: assertions({ statuses }) },
  };
}

function readBlock(
  kind: Kind,
  find: Find,
  pointer: string,
  reader: Reader,
): JsonObject | undefined {
  const { value, keyAt } = find(kind.kind)!;
  const slot = { pointer: child(pointer, "block"), what: `\`${kind.kind}\`` };
  reader.locate(child(pointer, "kind"), keyAt);
  reader.locate(slot.pointer, value.at);
  return kind.block.readBlock(value, slot, reader, {
    find,
    foreign: (entry) => reportInside(entry, kind, reader),
  });
}

/**
 * The `auth` of one step: its own, else the flow's when the step makes
 * requests. A scheme that sends nothing leaves nothing in the IR.
 */
function readStepAuth(
  entry: Entry | undefined,
  kind: Kind | undefined,
  block: JsonObject | undefined,
  pointer: string,
  { auth: inherited, registry, reader }: StepContext,
): Pick<Step, "auth"> {
  // What is written on a step that takes none is there to be refused.
  const sends = block === undefined || entry !== undefined ||
    (kind?.authorizes ?? kind?.sends)?.(block) !== false;
  const takesAuth = !kind ||
    (kind.requests && sends && kind.keys.includes("auth"));
  if (!takesAuth) return {};
  const auth = entry
    ? readAuth(entry.value, registry.schemes, reader)
    : kind && inherited;
  if (!auth) return {};
  locateAuth(auth, pointer, reader);
  return { auth: auth.block };
}

/** Keys of other tools for what a flow does not have. */
function reportCondition(
  { key, keyAt }: Entry,
  what: string,
  reader: Reader,
): boolean {
  if (!/^(?:if|unless|when|skip_?if|only_?if)$/i.test(key)) return false;
  reader.report({
    at: keyAt,
    code: "unknown-key",
    message: `unknown key \`${key}\` in ${what}`,
    hint: "a flow has no conditions: its steps run in order, until one fails",
  });
  return true;
}

/** What a step is called in messages: by its id when that can be read. */
function nameOf(node: Node, index: number): string {
  const id = node.kind === "map"
    ? node.entries.find(({ key }) => key === "id")?.value
    : undefined;
  return id?.kind === "scalar" && id.text !== ""
    ? `step \`${id.text}\``
    : `step ${index + 1}`;
}
