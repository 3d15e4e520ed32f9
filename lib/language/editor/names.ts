import { REFERENCE_PATTERN, wholeReference } from "../expressions/template.ts";
import { KNOWN_LISTS, STEP_LISTS, type StepList } from "../flow/flow.ts";
import type { Kinds } from "../flow/registry.ts";
import type { EditorDocument, ReadPart } from "./document.ts";
import { definitionOf, type Forms, type PlainForm } from "./forms.ts";
import {
  type TreeEntry,
  type TreeMap,
  type TreeNode,
  type TreePath,
  valueOf,
} from "./tree.ts";

/** The kinds of things that have a name. */
type NameKind = "variable" | "env" | "column" | "session" | "step";

/** A name in a text; its offsets count from the text's start. */
interface WrittenName {
  readonly kind: NameKind;
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** Of a name before or after a dot, `{{ user.name }}`: the pool, should there be one that is called so. */
  readonly pool?: string;
}

const BRACES = /\{\{[^{}]*\}\}/g;
const TEMPLATE = new RegExp(`^\\{\\{\\s*${REFERENCE_PATTERN}\\s*\\}\\}$`);
/** A quote inside of a scalar in the same quotes (YAML 1.2.2 section 7.3). */
const ESCAPED = /\\(?=")|'(?=')/g;

/** The names in the templates of a text as it is written. */
function templateNames(text: string): WrittenName[] {
  return [...text.matchAll(BRACES)].flatMap(({ 0: template, index }) => {
    const meant = template.replaceAll(ESCAPED, "");
    if (!TEMPLATE.test(meant)) return [];
    const { root, path } = wholeReference(meant)!;
    const start = index + template.indexOf(root);
    const whole = named("variable", root, start);
    if (path.length === 0) return isReserved(root) ? [] : [whole];
    const after = start + root.length;
    // `.name`, or `['name']`.
    const [before] = /^(?:\[(?:\\"|''|['"])|\.)/.exec(text.slice(after)) ??
      ["["];
    const from = after + before.length;
    const inside = path.join(".");
    if (root === "env") return [named("env", inside, from)];
    const column = { ...named("column", inside, from), pool: root };
    return isReserved(root) ? [column] : [{ ...whole, pool: root }, column];
  });
}

function isReserved(root: string): boolean {
  return root === "env" || root === "user";
}

/** The variable that an assertion is about, where it is about one. */
function subjectNames(text: string): WrittenName[] {
  const [, before = "", name] =
    /^(["']?\s*)([A-Za-z_][A-Za-z0-9_-]*)(?=[\s.[=!<>]|$)/.exec(text) ?? [];
  return name === undefined || isSubject(name)
    ? []
    : [named("variable", name, before.length)];
}

/** The step that a threshold is of. */
function stepNames(text: string): WrittenName[] {
  const [, before = "", name] =
    /^(["']?\s*)([^\s"'][^:]*?)(?=\s*:)/.exec(text) ?? [];
  return name === undefined ? [] : [named("step", name, before.length)];
}

/** Words that an assertion can begin with and that are no variables. */
export function isSubject(word: string): boolean {
  return /^(?:status|latency|cookie|length)$/.test(word) ||
    /^header$/i.test(word);
}

function named(kind: NameKind, name: string, start: number): WrittenName {
  return { kind, name, start, end: start + name.length };
}

/** One location in a file where a name is written. */
export interface NameUse extends WrittenName {
  /** It is made here: a variable extracted, a session opened, a step called so. */
  readonly defines: boolean;
  /** Where a definition takes its value from, as it is written. */
  readonly source?: string;
  /** Read when the step has its response, so that the step's own names are known. */
  readonly late?: boolean;
  /** The subject of an assertion. */
  readonly asserted?: true;
  /** The step it is in: its list, and its index there; both absent above the steps. */
  readonly step?: number;
  readonly list?: StepList;
}

/** Finds names in flows; a part that did not change is not searched again. */
export class NameIndex {
  readonly #known = new WeakMap<TreeNode, readonly NameUse[]>();
  readonly #stepForms: PlainForm[];

  constructor(readonly forms: Forms, readonly kinds: Kinds) {
    this.#stepForms = forms.at(["steps", 0], () => undefined);
  }

  /** Every name of a flow, in file order. */
  of({ parts, fixtures }: EditorDocument): NameUse[] {
    const isPool = (name: string) => name === "user" || fixtures.has(name);
    const found = parts.flatMap((part) => {
      const { start, step, list } = part;
      // Behind the dot of a variable is a part of its value.
      const meant = this.#inPart(part).filter(({ kind, pool }) =>
        kind !== "column" || isPool(pool!)
      );
      return meant.map((each) => ({
        ...each,
        start: each.start + start,
        end: each.end + start,
        ...(step !== undefined && { step, list }),
      }));
    });
    const steps = new Set(
      found.flatMap(({ kind, defines, name }) =>
        kind === "step" && defines ? name : []
      ),
    );
    // A threshold of a mix is of a flow.
    return found.filter(({ kind, name }) => kind !== "step" || steps.has(name));
  }

  #inPart(part: ReadPart): readonly NameUse[] {
    const { node, step } = part;
    if (!node) return [];
    let known = this.#known.get(node);
    if (!known) {
      const forms = step === undefined ? this.forms.root : this.#stepForms;
      known = [...this.#below(node, forms, part.text, { path: [] })]
        .sort((a, b) => a.start - b.start);
      this.#known.set(node, known);
    }
    return known;
  }

  *#below(
    node: TreeNode,
    forms: PlainForm[],
    text: string,
    where: Where,
  ): Generator<NameUse> {
    const { path, step } = where;
    if (node.kind === "list") {
      const below = this.forms.below(forms, node, 0);
      for (const [step, item] of node.items.entries()) {
        const inside = path.length === 0 ? { ...where, step } : where;
        yield* this.#below(item, below, text, inside);
      }
    } else if (node.kind === "scalar") {
      const is = forms.map(definitionOf);
      const written = text.slice(node.start, node.end);
      yield* inScalar(node, written, where, is.includes("assertion"));
      for (const each of is.includes("threshold") ? stepNames(written) : []) {
        const [start, end] = [node.start + each.start, node.start + each.end];
        yield { ...each, start, end, defines: false };
      }
    } else {
      if (path.length === 0) yield* this.#namesOfStep(node, where);
      for (const entry of node.entries) {
        const { key, value } = entry;
        const defines = path.length === 1 &&
          (path[0] === "extract" || path[0] === VALUES);
        if (defines) yield { ...extraction(entry), ...inStep(where) };
        const below = this.forms.below(forms, node, key);
        // Paths are those of a step.
        const list = STEP_LISTS.find((each) => each === key);
        const inside = list && path.length === 0 && step === undefined
          ? { ...where, list }
          : { ...where, path: [...path, key] };
        yield* this.#below(value, below, text, inside);
      }
    }
  }

  /** Its id, and the names of its block that other steps share. */
  *#namesOfStep(step: TreeMap, where: Where): Generator<NameUse> {
    const id = nameIn(step, "id");
    if (id) yield { kind: "step", defines: true, ...id, ...inStep(where) };
    for (const { kind, sharedKey } of this.kinds.values()) {
      const block = sharedKey && valueOf(step, kind);
      if (block?.kind !== "map") continue;
      const { key, madeBy } = sharedKey!;
      const name = nameIn(block, key);
      if (!name) continue;
      const defines = block.entries.some(({ key }) => madeBy.includes(key));
      yield { kind: "session", defines, ...name, ...inStep(where) };
    }
  }
}

/** The value of a key that is a name. */
function nameIn(mapping: TreeMap, key: string) {
  const node = valueOf(mapping, key);
  return node?.kind === "scalar" && node.text !== ""
    ? unquoted(node, node.text)
    : undefined;
}

/** A text that may be in quotes. */
function unquoted(
  { start, end }: TreeEntry["keyRange"],
  name: string,
): Omit<WrittenName, "kind"> {
  const quote = end - start > name.length ? 1 : 0;
  return { name, start: start + quote, end: start + quote + name.length };
}

/** The key of what is drawn for each iteration, which no step has. */
const VALUES = "values";

/** Where in a step a node is. */
interface Where {
  /** Keys from the step on; indexes do not count. */
  readonly path: readonly string[];
  /** The step, where the part holds several. */
  readonly step?: number;
  readonly list?: StepList;
}

function inStep({ step, list }: Where): Pick<NameUse, "step" | "list"> {
  return step === undefined || !list ? {} : { step, list };
}

function* inScalar(
  { start }: TreeNode,
  text: string,
  where: Where,
  asserts: boolean,
): Generator<NameUse> {
  const found: Pick<NameUse, keyof WrittenName | "asserted">[] = templateNames(
    text,
  );
  for (const each of asserts ? subjectNames(text) : []) {
    found.push({ ...each, asserted: true });
  }
  const late = where.path[0] === "assert" ? { late: true } : {};
  for (const each of found) {
    const range = { start: start + each.start, end: start + each.end };
    yield { ...each, ...range, ...late, ...inStep(where), defines: false };
  }
}

function extraction({ key, keyRange, value }: TreeEntry): NameUse {
  const source = value.kind === "scalar" ? value.text : "";
  const name = unquoted(keyRange, key);
  return { kind: "variable", ...name, defines: true, source };
}

/**
 * Variables that may be named at `path`: values that are drawn, those of steps
 * before, and in assertions its own. A value may name those above it.
 */
export function variablesAt(
  [top, index, key]: TreePath,
  names: readonly NameUse[],
): Map<string, NameUse> {
  const made = names.filter(({ kind, defines }) =>
    kind === "variable" && defines
  );
  const ofValues = top === VALUES;
  const own = made.findIndex(({ name, step }) =>
    ofValues && step === undefined && name === index
  );
  const list = STEP_LISTS.find((each) => each === top);
  const where = list && typeof index === "number"
    ? { list, step: index, late: key === "assert" }
    : undefined;
  return new Map(
    made.slice(0, own < 0 ? made.length : own)
      .filter((each) => ofValues ? !each.list : !where || isKnown(each, where))
      .map((each) => [each.name, each]),
  );
}

/**
 * Whether what is made at one place is known in a step: what steps before it make,
 * also what it makes itself when it has its response, and what is above `steps`.
 */
export function isKnown(
  made: Pick<NameUse, "list" | "step">,
  { list, step = -1, late = false }: Pick<NameUse, "list" | "step"> & {
    readonly late?: boolean | undefined;
  },
): boolean {
  if (!list) return false;
  if (!made.list) return list === "steps";
  if (!KNOWN_LISTS[list].includes(made.list)) return false;
  return made.list !== list || made.step! < step || late && made.step === step;
}
