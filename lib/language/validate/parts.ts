import { leavesOf } from "../../base/values/json_leaves.ts";
import { child } from "../../base/values/pointer.ts";
import { partsOf } from "../fields/read_fields.ts";
import type { Part } from "../fields/value.ts";
import { flowFields } from "../flow/flow.ts";
import { STEP } from "../flow/step_form.ts";
import type { Kind } from "../flow/kind.ts";
import type { Registry } from "../flow/registry.ts";
import type { AuthScheme } from "../flow/scheme.ts";
import { isTemplate } from "../expressions/operand.ts";
import type { Flow, Step } from "../ir.ts";

type Role = Part["role"];
type PartOf<Each extends Role> = Extract<Part, { role: Each }>;

/** What is asked of a step: its block and auth must have passed their schemas. */
export interface Parts {
  readonly all: readonly Part[];
  /** The parts of a role, of the block and of the auth, by JSON Pointer. */
  of<Each extends Role>(role: Each): readonly PartOf<Each>[];
}

/** One string of a JSON value. */
export interface PlacedString {
  readonly pointer: string;
  readonly text: string;
  /** It is rendered when the step has extracted its own variables. */
  readonly extracted?: true;
}

/**
 * What a block and an auth block say of themselves.
 *
 * @param pointer of the step
 */
export function stepParts(
  { block, auth }: Step,
  pointer: string,
  kind: Kind | undefined,
  scheme: AuthScheme | undefined,
): Parts {
  return byRole([
    ...kind?.block.parts?.(block, `${pointer}/block`) ?? [],
    ...auth && scheme ? partsOf(scheme.fields, auth, `${pointer}/auth`) : [],
  ]);
}

/** The parts of every step of a valid flow. */
export function flowParts(flow: Flow, { kinds, schemes }: Registry): Parts[] {
  return flow.steps.map((step, index) => {
    const scheme = schemes.get(String(step.auth?.scheme));
    return stepParts(step, `/steps/${index}`, kinds.get(step.kind), scheme);
  });
}

/** The parts of a flow that only a later IR than the first can say. */
export function* laterParts(
  flow: Flow,
  registry: Registry,
): Generator<PartOf<"since">> {
  const { kinds } = registry;
  for (const [index, step] of flow.steps.entries()) {
    const at = `/steps/${index}`;
    const block = kinds.get(step.kind)?.block;
    yield* isLater(partsOf(STEP, step, at));
    yield* isLater(block?.parts?.(step.block, `${at}/block`) ?? []);
  }
  yield* isLater(partsOf(flowFields(registry), flow, ""));
}

function isLater(parts: Iterable<Part>): PartOf<"since">[] {
  return byRole([...parts]).of("since") as PartOf<"since">[];
}

/** Parts to be asked by their roles. */
export function byRole(all: readonly Part[]): Parts {
  return {
    all,
    of: <Each extends Role>(role: Each) =>
      all.filter((part): part is PartOf<Each> => part.role === role),
  };
}

/** The header fields that a step declares. */
export function declaredHeaders(
  parts: Parts,
): readonly (PlacedString & { readonly name: string })[] {
  return parts.of("headers").flatMap(({ pointer, value }) =>
    Object.entries(value).map(([name, text]) => ({
      name,
      text: String(text),
      pointer: child(pointer, name),
    }))
  );
}

/**
 * Every templated string of a step, with JSON Pointers into the flow.
 *
 * @param pointer of the step
 */
export function* templatedStrings(
  step: Step,
  pointer: string,
  parts: Parts,
): Generator<PlacedString> {
  for (const { value, pointer: at } of parts.of("template")) {
    for (const { value: text, path } of leavesOf(value)) {
      if (typeof text !== "string") continue;
      yield { pointer: path.reduce<string>(child, at), text };
    }
  }
  for (const [at, { value }] of (step.assert ?? []).entries()) {
    if (!isTemplate(value)) continue;
    yield { pointer: `${pointer}/assert/${at}`, text: value, extracted: true };
  }
  for (const { value: { value }, pointer: at } of parts.of("assertion")) {
    if (isTemplate(value)) yield { pointer: at, text: value };
  }
}
