import {
  isObject,
  type JsonObject,
  type JsonValue,
  objectsIn,
} from "../../base/values/json.ts";
import { VERSION_MARK } from "../fields/form.ts";
import {
  mapWith,
  type TreeMap,
  type TreeNode,
  type TreePath,
  valueOf,
} from "./tree.ts";

/** The schema of a value: a JSON Schema that is no alternative any more. */
export type PlainForm = JsonObject;

/** The schema of the value under a key. */
interface OfferedKey {
  readonly key: string;
  readonly required: boolean;
  readonly form: PlainForm;
}

/** Looks up what a file may hold in the JSON Schema that `bench schema` prints. */
export class Forms {
  constructor(readonly schema: JsonObject) {}

  /** The schemas of the file as a whole. */
  get root(): PlainForm[] {
    return this.#alternatives(this.schema);
  }

  /**
   * The schemas of the value at `path`: alternatives, without those that the words
   * around it rule out.
   *
   * @param nodeAt what is written at the beginnings of the path
   */
  at(
    path: TreePath,
    nodeAt: (path: TreePath) => TreeNode | undefined,
  ): PlainForm[] {
    const forms = path.reduce<PlainForm[]>(
      (forms, step, depth) =>
        this.below(forms, nodeAt(path.slice(0, depth)), step),
      this.root,
    );
    return chosen(forms, nodeAt(path));
  }

  /** The schemas of the value at `step` of `node`, of which `forms` are the alternatives. */
  below(
    forms: PlainForm[],
    node: TreeNode | undefined,
    step: string | number,
  ): PlainForm[] {
    return chosen(forms, node, step).flatMap((form) => below(form, step))
      .flatMap((form) => this.#alternatives(form));
  }

  /** `$ref` and `anyOf` written out; rules between keys stay as they are. */
  #alternatives(form: PlainForm): PlainForm[] {
    const { $ref, ...own } = form;
    if (typeof $ref === "string") {
      const name = $ref.slice("#/$defs/".length);
      const target = (this.schema["$defs"] as JsonObject)[name] as PlainForm;
      return this.#alternatives({ ...target, ...own, [DEFINED]: name });
    }
    for (const word of ["anyOf", "oneOf"]) {
      const branches = form[word];
      if (!Array.isArray(branches) || !branches.every(isForm)) continue;
      const { [word]: _, ...rest } = form;
      return branches.flatMap((each) =>
        this.#alternatives({ ...rest, ...each as PlainForm })
      );
    }
    return [form];
  }
}

/** Which definition of the schema a form is, such as `assertion`. */
export function definitionOf(form: PlainForm): string | undefined {
  return form[DEFINED] as string | undefined;
}

const DEFINED = "$defined";

/** A branch that says what a value is, not only what goes with what. */
function isForm(branch: JsonValue): boolean {
  return isObject(branch) &&
    ["type", "const", "enum", "$ref", "anyOf", "oneOf"]
      .some((word) => Object.hasOwn(branch, word));
}

function below(form: PlainForm, step: string | number): PlainForm[] {
  const found = typeof step === "number"
    ? form["items"]
    : properties(form)[step] ?? form["additionalProperties"];
  return found !== undefined && isObject(found) ? [found] : [];
}

function properties(form: PlainForm): JsonObject {
  return (form["properties"] ?? {}) as JsonObject;
}

/**
 * The alternatives whose word (`scheme: bearer`) is the one that is written; all
 * of them when it is not one of theirs, or is what is asked about.
 */
function chosen(
  forms: PlainForm[],
  node: TreeNode | undefined,
  asked?: string | number,
): PlainForm[] {
  const fitting = forms.filter((form) =>
    Object.entries(properties(form)).every(([key, rule]) => {
      const word = isObject(rule) ? rule["const"] : undefined;
      const written = node?.kind === "map" ? valueOf(node, key) : undefined;
      return word === undefined || key === asked || !written ||
        (written.kind === "scalar" && written.text === word);
    })
  );
  return fitting.length > 0 ? fitting : forms;
}

/** The schema of the value under a key that the form names. */
export function keyForm(form: PlainForm, key: string): PlainForm | undefined {
  const rules = properties(form);
  return Object.hasOwn(rules, key) ? rules[key] as PlainForm : undefined;
}

/** The keys that may be added to a mapping that has those of `siblings`. */
export function offeredKeys(
  forms: readonly PlainForm[],
  siblings: TreeMap | undefined,
  version: number,
): OfferedKey[] {
  const found = new Map<string, OfferedKey>();
  for (const form of forms) {
    const required = (form["required"] ?? []) as string[];
    for (const [key, each] of Object.entries(properties(form))) {
      if (found.has(key) || siblings && valueOf(siblings, key)) continue;
      if (versionOf(each) > version) continue;
      // Before the word that distinguishes them is written, no other key is known.
      const telling = forms.length === 1 || isTelling(form, key);
      if (!telling || breaksRules(form, mapWith([key], siblings?.entries))) {
        continue;
      }
      found.set(key, {
        key,
        required: required.includes(key),
        form: each as PlainForm,
      });
    }
  }
  for (const [key, form] of forms.flatMap(namedKeys)) {
    const lower = key.toLowerCase();
    const taken = siblings?.entries.some((each) =>
      each.key.toLowerCase() === lower
    );
    if (!taken && !found.has(key)) {
      found.set(key, { key, required: false, form });
    }
  }
  return [...found.values()];
}

/** Names that are known of a mapping whose keys are the author's own. */
function namedKeys(form: PlainForm): [key: string, form: PlainForm][] {
  const names = form["propertyNames"];
  const value = form["additionalProperties"];
  if (!isObject(names) || !isObject(value)) return [];
  return ((names["examples"] ?? []) as string[]).map((each) => [each, value]);
}

/** The first version of the flow file that has a key. */
function versionOf(form: JsonValue): number {
  const mark = isObject(form) ? form["$comment"] : undefined;
  return typeof mark === "string" && mark.startsWith(VERSION_MARK)
    ? Number(mark.slice(VERSION_MARK.length))
    : 0;
}

/** Whether this key, and no other, distinguishes the alternatives. */
function isTelling(form: PlainForm, key: string): boolean {
  const rules = properties(form);
  const words = Object.keys(rules).filter((each) =>
    Object.hasOwn(rules[each] as JsonObject, "const")
  );
  return words.length === 0 || words.includes(key);
}

/**
 * Whether a mapping can no longer become what `form` wants: keys that exclude
 * each other are there. Keys that are still missing break nothing.
 */
function breaksRules(form: JsonObject, map: TreeMap): boolean {
  const { not, allOf, oneOf, dependentRequired } = form;
  if (not !== undefined && holds(not, map)) return true;
  // A key that goes with another one is offered beside it, and not before.
  const lone = Object.entries(
    isObject(dependentRequired) ? dependentRequired : {},
  )
    .some(([key, required]) =>
      valueOf(map, key) && !hasRequired({ required }, map)
    );
  if (lone) return true;
  if (objectsIn(allOf).some((each) => breaksRules(each, map))) return true;
  const begun = objectsIn(oneOf).filter((each) => hasRequired(each, map));
  const [first, second] = begun;
  return second !== undefined || (first !== undefined && !holds(first, map));
}

/** JSON Schema, as far as rules between keys go. */
function holds(rule: JsonValue, node: TreeNode): boolean {
  if (!isObject(rule)) return rule !== false;
  if (rule["type"] === "object" && node.kind !== "map") return false;
  if (rule["not"] !== undefined && holds(rule["not"], node)) return false;
  if (!objectsIn(rule["allOf"]).every((each) => holds(each, node))) {
    return false;
  }
  if (node.kind !== "map") return true;
  const properties = (rule["properties"] ?? {}) as JsonObject;
  return hasRequired(rule, node) &&
    node.entries.every(({ key, value }) =>
      !Object.hasOwn(properties, key) || holds(properties[key]!, value)
    );
}

function hasRequired({ required = [] }: JsonObject, map: TreeMap): boolean {
  return (required as string[]).every((key) =>
    map.entries.some((each) => each.key === key)
  );
}
