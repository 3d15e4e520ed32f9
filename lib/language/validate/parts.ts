import type { Report } from "../../base/text/diagnostic.ts";
import { child, leavesOf } from "../../base/values/json.ts";
import { isTemplate } from "../expressions/operator.ts";
import type { Part } from "../fields/field.ts";
import { partsOf } from "../fields/read_fields.ts";
import {
  flowFields,
  KNOWN_LISTS,
  type PlacedStep,
  placedSteps,
  type StepList,
} from "../flow/flow.ts";
import type { AuthScheme, Kind, Registry } from "../flow/registry.ts";
import { STEP } from "../flow/step_form.ts";
import type { DrawnValue, Flow, Step } from "../ir.ts";

type Role = Part["role"];
type PartOf<Each extends Role> = Extract<Part, { role: Each }>;

/** The parts of a step, whose block and auth must have passed their schemas. */
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
 * The parts that a block and an auth block state of themselves.
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

/** Every step of a valid flow, with its parts. */
export function flowParts(
  flow: Flow,
  { kinds, schemes }: Registry,
): (PlacedStep & { readonly parts: Parts })[] {
  return placedSteps(flow).map((placed) => {
    const { step, pointer } = placed;
    const scheme = schemes.get(String(step.auth?.scheme));
    const parts = stepParts(step, pointer, kinds.get(step.kind), scheme);
    return { ...placed, parts };
  });
}

/** The parts of a flow that only a later IR than the first can say. */
export function* laterParts(
  flow: Flow,
  registry: Registry,
): Generator<PartOf<"since">> {
  for (const { step, pointer, parts } of flowParts(flow, registry)) {
    yield* isLater(partsOf(STEP, step, pointer));
    yield* isLater(parts.all);
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

/** Whether the file says the value at a JSON Pointer without an error. */
export type IsSound = (pointer: string) => boolean;

/** One step, as the rules see it that need no more of its flow. */
export interface LoneStep {
  readonly step: Step;
  /** JSON Pointer of the step. */
  readonly pointer: string;
  readonly kind: Kind | undefined;
  /** Of its auth; absent when that does not fit one. */
  readonly scheme: AuthScheme | undefined;
  /** Nothing of its auth was left out, so that its fields may be compared. */
  readonly hasWholeAuth: boolean;
  readonly parts: Parts;
  readonly report: Report;
}

/** Texts of a flow file that its IR does not have, by JSON Pointer; see `Reader`. */
export type Notes = Readonly<
  Record<"bareNames" | "leftTemplates", ReadonlyMap<string, string>>
>;

/** One step of a flow, as the rules across steps see it. */
export interface CheckedStep extends LoneStep, Notes {
  /** Its position among `names.steps`. */
  readonly index: number;
  readonly names: KnownNames;
  /** Its auth is the flow's, which is checked by itself. */
  readonly inherits: boolean;
}

/** The names that the steps of one list may use. */
export interface KnownNames {
  readonly list: StepList;
  /** The steps whose variables they know, in the order they are carried out. */
  readonly steps: readonly PlacedStep[];
  /** Pools by name; YAML has one, `user`. Only `steps` know their rows. */
  readonly pools: ReadonlySet<string>;
  /** Values that are drawn, by name; only `steps` know them. */
  readonly values: ReadonlyMap<string, DrawnValue>;
  /** The steps that extract variables which this list does not know, by variable. */
  readonly unknown: ReadonlyMap<string, PlacedStep>;
  /**
   * The first step that extracts each variable, by its position among `steps`. The values of a flow are
   * before them all: of three the first is at -3, and the last at -1.
   */
  readonly extractedBy: ReadonlyMap<string, number>;
  /**
   * The first step whose `extract` could not be read: later ones may know any name,
   * and all of them where that is `values`.
   */
  readonly anyAfter: number;
}

/** Collects the names that the steps of a list may use. */
export function knownNames(
  flow: Flow,
  list: StepList,
  isSound: IsSound,
): KnownNames {
  const steps = placedSteps(flow, KNOWN_LISTS[list]);
  const unread = steps.findIndex(({ step: { extract }, pointer }) =>
    extract === undefined && !isSound(`${pointer}/extract`)
  );
  const { values = [] } = flow;
  const drawn = list === "steps" ? values : [];
  const extracted = [
    ...drawn.map(({ name }, index) => [name, index - drawn.length] as const),
    ...steps.flatMap(({ step }, index) =>
      Object.keys(step.extract ?? {}).map((name) => [name, index] as const)
    ),
  ];
  const others = placedSteps(flow)
    .filter((each) => !KNOWN_LISTS[list].includes(each.list));
  return {
    list,
    steps,
    unknown: new Map(
      others.flatMap((each) =>
        Object.keys(each.step.extract ?? {}).map((name) => [name, each])
      ),
    ),
    pools: new Set([
      // One without a name was reported.
      ...(flow.pools ?? []).flatMap(({ name }) => name ?? []),
      ...(isSound("/data") ? [] : ["user"]),
    ]),
    values: new Map(values.map((each) => [each.name, each])),
    anyAfter: list === "steps" && !flow.values && !isSound("/values")
      ? -Infinity
      : unread < 0
      ? Infinity
      : unread,
    extractedBy: new Map(
      Map.groupBy(extracted, ([name]) => name).entries()
        .map(([name, [first]]) => [name, first![1]]),
    ),
  };
}

/** Whether `name` is known before step `index` makes its request. */
export function extractedBefore(
  { extractedBy }: KnownNames,
  name: string,
  index: number,
): boolean {
  return (extractedBy.get(name) ?? Infinity) < index;
}
