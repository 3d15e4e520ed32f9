import { anyObject, child, type JsonObject } from "../../base/values/json.ts";
import type { Fields, Form, Slot, Value } from "../fields/field.ts";
import { formOf } from "../fields/form.ts";
import { itemsOf, listForm } from "../fields/list.ts";
import { type Find, readEntries } from "../fields/mapping.ts";
import { readFields } from "../fields/read_fields.ts";
import { DEFINED } from "../fields/templates.ts";
import { type Entry, entryOf, type Node } from "../source/node.ts";
import { readAction, reportInside, reportMisplaced, takes } from "./action.ts";
import { assertions } from "./assertions.ts";
import { locateAuth, readAuth, type WrittenAuth } from "./auth.ts";
import { blockKeys, type Kind, type Registry, STEP_KEYS } from "./registry.ts";
import { STEP, type Step } from "./step_form.ts";

/** The tools that the steps of a flow are read with. */
interface StepContext {
  readonly registry: Registry;
  /** The flow's default. */
  readonly auth: WrittenAuth | undefined;
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
 *
 * @param at where its list was written
 */
function readStep(
  node: Node,
  index: number,
  at: Slot,
  context: StepContext,
): Step {
  const { registry, fields } = context;
  const slot = at.below(index, node, stepName(node, index));
  slot.reader.locate(slot.pointer, node.at);
  const action = readAction(slot, registry.kinds);
  const hint = "for example `{ id: list, call: GET /items }`";
  const entries = readEntries(slot, fields, { places: ["step"], hint });
  if (entries) action.reportMissing();
  // Unlike any written id, so that it clashes with none.
  const nameless = `?${slot.pointer}`;
  if (!entries) {
    return { id: nameless, kind: "", block: {}, on_failure: "record" };
  }
  const { kind } = action;
  const keys = Object.keys(fields).filter((key) => fields[key]!.written);
  const misplaced = kind ? reportMisplaced(entries.get, kind, keys, slot) : [];
  const find: Find = (key) =>
    misplaced.includes(key) ? undefined : entries.get(key);
  const block = kind && readBlock(kind, entries.get, slot);
  const id = entries.get("id")?.value;
  return {
    ...readFields(commonFields(kind), find, slot).value,
    id: (id && slot.below("id", id, "`id`").read(STEP.id.value)) ?? nameless,
    kind: kind && block ? kind.kind : "",
    block: block ?? {},
    ...readStepAuth(entries.get("auth")?.value, kind, block, slot, context),
  } as Step;
}

function commonFields(kind: Kind | undefined): Fields {
  const { id: _, ...fields } = STEP;
  const statuses = kind?.statusNames;
  if (!statuses) return fields;
  return {
    ...fields,
    assert: { ...STEP.assert, value: assertions({}, statuses) },
  };
}

function readBlock(
  kind: Kind,
  find: Find,
  step: Slot,
): JsonObject | undefined {
  const { value, keyAt } = find(kind.kind)!;
  const slot = step.below("block", value, `\`${kind.kind}\``);
  slot.reader.locate(child(step.pointer, "kind"), keyAt);
  slot.reader.locate(slot.pointer, value.at);
  const foreign = (entry: Entry) => reportInside(entry, kind, slot);
  return kind.block.readBlock(slot, { find, foreign });
}

/**
 * The `auth` of one step: its own, else the flow's when the step makes
 * requests. A scheme that sends nothing leaves nothing in the IR.
 */
function readStepAuth(
  node: Node | undefined,
  kind: Kind | undefined,
  block: JsonObject | undefined,
  step: Slot,
  { auth: inherited, registry }: StepContext,
): Pick<Step, "auth"> {
  // What is written on a step that takes none is there to be refused.
  const sends = !block || node ||
    (kind?.authorizes ?? kind?.sends)?.(block) !== false;
  const takesAuth = !kind ||
    (kind.requests && sends && kind.keys.includes("auth"));
  if (!takesAuth) return {};
  if (node) {
    const auth = readAuth(step.below("auth", node), registry.schemes);
    return auth ? { auth } : {};
  }
  if (!kind || !inherited) return {};
  locateAuth(inherited, step.pointer, step.reader);
  return { auth: inherited.block };
}

/** The name of a step in messages: its id when that can be read. */
function stepName(node: Node, index: number): string {
  const id = entryOf(node, "id")?.value;
  return id?.kind === "scalar" && id.text !== ""
    ? `step \`${id.text}\``
    : `step ${index + 1}`;
}

/** A flow has at most this many steps. */
const MAX_STEPS = 1_000;
const LIST = { of: "steps", hint: "start each step with `- id: <name>`" };

/** Reads the list of steps; every step gives one, however wrong it is. */
export function readSteps(
  slot: Slot,
  registry: Registry,
  auth: WrittenAuth | undefined,
): Step[] | undefined {
  slot.reader.locate(slot.pointer, slot.node.at);
  const items = itemsOf(slot, LIST);
  if (slot.node.kind !== "list") return;
  const excess = items[MAX_STEPS];
  if (excess) {
    slot.report({
      at: excess.at,
      code: "too-many-steps",
      message:
        `a flow has at most ${MAX_STEPS} steps, but this one has ${items.length}`,
      hint: "split it into several flows",
    });
  }
  const context = { registry, auth, fields: stepFields(registry) };
  return items.slice(0, MAX_STEPS)
    .map((item, index) => readStep(item, index, slot, context));
}

/** A list of steps to an editor: each has one action, and the keys that go with it. */
export function stepsForm(registry: Registry): Form {
  const kinds = [...registry.kinds.values()];
  const keys = [...Object.keys(blockKeys(registry)), ...STEP_KEYS];
  const oneOf = kinds.map((kind) => formOfKind(kind, keys));
  const step = formOf(stepFields(registry), [{ oneOf }]);
  return { ...listForm(step, { least: true }), maxItems: MAX_STEPS };
}

function formOfKind(kind: Kind, keys: readonly string[]): JsonObject {
  const misplaced = keys.filter((key) => !takes(kind, key));
  const either = Object.entries(kind.block.fields)
    .filter(([, { written }]) => written === "either").map(([key]) => key);
  return {
    required: [kind.kind],
    ...(misplaced.length > 0 && {
      properties: Object.fromEntries(misplaced.map((key) => [key, false])),
    }),
    ...(either.length > 0 && {
      allOf: either.map((key) => ({
        not: {
          required: [key],
          properties: { [kind.kind]: { required: [key] } },
        },
      })),
    }),
  };
}

/** A list of steps as a field of the flow file. */
export function stepsValue(registry: Registry): Value<Step[]> {
  const item = { inside: { fields: stepFields(registry) } } as Value<Step>;
  return {
    form: DEFINED.steps,
    inside: { item },
  } as unknown as Value<Step[]>;
}
