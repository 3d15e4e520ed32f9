import { elsewhere } from "../expressions/elsewhere.ts";
import {
  NAME,
  parseTemplate,
  quote,
  quoteItems,
  type Reference,
  type TemplateParts,
} from "../expressions/template.ts";
import type { Report, Wording } from "../../base/text/diagnostic.ts";
import { didYouMean } from "../../base/text/suggest.ts";
import { templateErrors } from "../fields/templates.ts";
import type { StepList } from "../flow/flow.ts";
import type { Flow } from "../ir.ts";
import { checkName } from "./assertions.ts";
import {
  type CheckedStep,
  extractedBefore,
  type KnownNames,
  type PlacedString,
  templatedStrings,
} from "./parts.ts";
import { ENV_NAME } from "./environment.ts";

/** Reports every template of a step that cannot have a value. */
export function checkReferences(checked: CheckedStep): void {
  const { step, pointer, index, names, inherits, report } = checked;
  const auth = `${pointer}/auth/`;
  const who = step.id === "" ? "the flow" : `step \`${step.id}\``;
  const naming = { ...checked, who };
  for (
    const each of [
      ...templatedStrings(step, pointer, checked.parts),
      ...leftTemplates(checked),
    ]
  ) {
    const inAuth = each.pointer.startsWith(auth);
    // The flow's auth is checked by itself: left is what comes too late here.
    const shared = inherits && inAuth;
    let parts: TemplateParts;
    try {
      parts = parseTemplate(each.text);
    } catch (error) {
      const { message } = error as Error;
      if (!shared) report({ at: each.pointer, code: "bad-template", message });
      continue;
    }
    for (const part of parts) {
      if (typeof part === "string") continue;
      const isVariable = names.extractedBy.has(part.root);
      if (shared && !isVariable) continue;
      const known = each.extracted &&
        extractedBefore(names, part.root, index + 1);
      const wording = known
        ? partOfValue(part, names)
        : unresolved(part, naming);
      if (!wording) continue;
      report({
        ...wording,
        at: { pointer: each.pointer, inside: quote(part) },
        code: "unresolved-template",
        ...(inAuth && step.id !== "" && isVariable && {
          hint:
            `if step \`${step.id}\` needs no credentials, give it \`auth: { scheme: none }\``,
        }),
      });
    }
  }
}

/** The templates of a step beside malformed ones, without the text around them. */
function leftTemplates(
  { step, pointer, leftTemplates }: CheckedStep,
): PlacedString[] {
  const above = step.id === "" ? "/auth" : pointer;
  return [...leftTemplates].flatMap(([at, text]) =>
    at === above || at.startsWith(`${above}/`) ? [{ pointer: at, text }] : []
  );
}

/** Who names something: a step, or a value above all steps. */
type Naming = Pick<CheckedStep, "index" | "names"> & {
  /** In words, such as "step `a`". */
  readonly who: string;
};

/** Why a template cannot have a value; undefined when it can. */
function unresolved(
  reference: Reference,
  naming: Naming,
): Wording | undefined {
  const { index, names, who } = naming;
  const { root, path } = reference;
  const written = quoteItems(reference);
  if (root === "env") return unresolvedEnv(written, path);
  if (names.pools.has(root) && names.list === "steps") {
    return path.length > 0 ? undefined : {
      message: `${written} names no column of the fixture`,
      hint: `write {{ ${root}.<column> }}`,
    };
  }
  if (extractedBefore(names, root, index)) {
    return partOfValue(reference, names);
  }
  if (index > names.anyAfter) return;
  const later = names.extractedBy.get(root);
  if (later !== undefined) return knownTooLate(root, naming, later);
  const why = outOfReach(root, names);
  if (why !== undefined) {
    return {
      message: `${written} is not known in ${who} of \`${names.list}\`: ${why}`,
      hint: REACH[names.list],
    };
  }
  if (root === "user") {
    return {
      message: `${written} needs a fixture, but this flow has no \`data\``,
      hint: "add `data: <file>.csv` to the flow",
    };
  }
  const variables = names.extractedBy.keys()
    .filter((name) => extractedBefore(names, name, index));
  const rows = names.list === "steps" ? names.pools : [];
  const known = [...new Set([...variables, ...rows, "env"])]
    .filter((each) => each !== "_");
  const all = [...known, ...names.extractedBy.keys()];
  const shout = /^[A-Z][A-Z0-9_]*$/.test(root) && path.length === 0;
  return {
    message: `${written} names nothing that ${who} knows`,
    hint: ofStep(reference, naming) ??
      elsewhere("template", written.slice(3, -3)) ??
      didYouMean(root, all) ??
      (shout
        ? `for an environment variable write {{ env.${root} }}`
        : `known here: ${known.join(", ")}${asColumn(reference, rows)}`),
  };
}

/** A column, where it is named without its pool, as other tools do. */
function asColumn(
  { root, path }: Reference,
  rows: Iterable<string>,
): string {
  const [pool, ...others] = rows;
  if (pool === undefined || others.length > 0 || path.length > 0) return "";
  return `; a column of the fixture is {{ ${pool}.${root} }}`;
}

/** The way out where a step is named: `{{ login.token }}`, `{{ steps.login.token }}`. */
function ofStep(
  { root, path }: Reference,
  { names, index }: Naming,
): string | undefined {
  const [id, ...rest] = /^steps?$/.test(root) ? path : [root, ...path];
  if (!names.steps.some(({ step }) => step.id === id)) return;
  const at = rest.findIndex((each) => extractedBefore(names, each, index));
  if (at >= 0) {
    const [variable = "", ...below] = rest.slice(at);
    return `variables are named without their step: ${
      quoteItems({ root: variable, path: below })
    }`;
  }
  const name = rest.findLast((each) => NAME.test(each)) ?? "id";
  return `\`${id}\` is a step: give it \`extract: { ${name}: $.${name} }\`, and write {{ ${name} }}`;
}

/** The names that each list may use. */
const REACH: Readonly<Record<StepList, string>> = {
  setup: "`setup` knows {{ env.* }}, and what its earlier steps extract",
  steps:
    "`steps` know rows, values, {{ env.* }}, and what `setup` and earlier steps extract",
  teardown:
    "`teardown` knows {{ env.* }}, and what `setup` and its own earlier steps extract",
};

/** Why a name that the flow has is none for a list; undefined when it has no such name. */
function outOfReach(
  root: string,
  { list, pools, values, unknown }: KnownNames,
): string | undefined {
  const by = unknown.get(root);
  if (by) return `it is extracted by step \`${by.step.id}\` of \`${by.list}\``;
  if (list === "steps") return undefined;
  if (pools.has(root)) return "rows belong to iterations";
  return values.has(root) ? "values are drawn for each iteration" : undefined;
}

function unresolvedEnv(
  written: string,
  path: readonly string[],
): Wording | undefined {
  const name = path.join(".");
  if (name === "") {
    return {
      message: `${written} names no environment variable`,
      hint: "write {{ env.<NAME> }}",
    };
  }
  if (ENV_NAME.test(name)) return undefined;
  return {
    message:
      `${written} names \`${name}\`, which cannot be an environment variable`,
    hint: "such a name has letters, digits and _ only",
  };
}

/** Only what is chosen from may have parts. */
function partOfValue(
  { root, path }: Reference,
  { values }: KnownNames,
): Wording | undefined {
  const value = values.get(root);
  if (!value || value.kind === "choice" || path.length === 0) return;
  return {
    message: `${
      quoteItems({ root, path })
    } names a part of \`${root}\`, but that is a ${
      ["int", "decimal", "counter"].includes(value.kind) ? "number" : "text"
    }`,
    hint: `write {{ ${root} }}`,
  };
}

function knownTooLate(
  root: string,
  { names, index, who }: Naming,
  later: number,
): Wording {
  const written = `{{ ${root} }}`;
  const source = names.steps[later];
  if (index < 0) {
    if (source?.list === "setup") {
      return {
        message:
          `${written} is extracted by step \`${source.step.id}\` of \`setup\`, but a text names values above it, rows and {{ env.* }}`,
        hint: "write the text where it is used, in a step",
      };
    }
    if (source) {
      return {
        message:
          `${written} is extracted by step \`${source.step.id}\`, but values are drawn before the first step`,
        hint: "write the text where it is used, in a later step",
      };
    }
    return later === index
      ? {
        message: `${who} names itself`,
        hint: "a text names values above it, rows and {{ env.* }}",
      }
      : {
        message:
          `${written} is not known in ${who}: values are drawn in their order, and it is below`,
        hint: `move \`${root}\` up`,
      };
  }
  if (later === index) {
    return {
      message:
        `${written} is extracted by ${who} itself, from the response to this request`,
      hint: "extract it in an earlier step",
    };
  }
  return {
    message: `${written} is not known in ${who}: only the later step \`${
      source!.step.id
    }\` extracts it`,
    hint: `move step \`${source!.step.id}\` up`,
  };
}

/** Checks the names of the values of a flow, and what their texts name. */
export function checkValues(
  flow: Flow,
  names: KnownNames,
  report: Report,
): void {
  const { values = [] } = flow;
  const seen = new Set<string>();
  for (const [at, value] of values.entries()) {
    const { name } = value;
    const pointer = `/values/${at}`;
    if (seen.has(name)) {
      const message = `the value \`${name}\` is defined twice`;
      report({ at: `${pointer}/name`, code: "duplicate-value", message });
    }
    seen.add(name);
    checkName(name, `${pointer}/name`, names, report);
    if (value.kind !== "text" || templateErrors(value.text).length > 0) {
      continue;
    }
    const naming = {
      names,
      index: at - values.length,
      who: `value \`${name}\``,
    };
    for (const part of parseTemplate(value.text)) {
      const wording = typeof part === "string"
        ? undefined
        : unresolved(part, naming);
      if (!wording) continue;
      const inside = quote(part as Reference);
      const code = "unresolved-template";
      report({ ...wording, at: { pointer: `${pointer}/text`, inside }, code });
    }
  }
}
