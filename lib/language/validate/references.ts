import { elsewhere } from "../expressions/elsewhere.ts";
import {
  parseTemplate,
  quote,
  type Reference,
  type TemplateParts,
} from "../expressions/template.ts";
import type { Wording } from "../../base/text/diagnostic.ts";
import { didYouMean } from "../../base/text/suggest.ts";
import {
  type CheckedStep,
  extractedBefore,
  templatedStrings,
} from "./parts.ts";
import { ENV_NAME } from "./environment.ts";

/** Reports every template of a step that cannot have a value. */
export function checkReferences(checked: CheckedStep): void {
  const { step, pointer, index, names, inherits, report } = checked;
  const auth = `${pointer}/auth/`;
  for (const each of templatedStrings(step, pointer, checked.parts)) {
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
      const wording = known ? undefined : unresolved(part, checked);
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

/** Why a template cannot have a value; undefined when it can. */
function unresolved(
  reference: Reference,
  checked: CheckedStep,
): Wording | undefined {
  const { step, index, names } = checked;
  const { root, path } = reference;
  const written = quote(reference);
  if (root === "env") return unresolvedEnv(written, path);
  if (names.pools.has(root)) {
    return path.length > 0 ? undefined : {
      message: `${written} names no column of the fixture`,
      hint: `write {{ ${root}.<column> }}`,
    };
  }
  if (extractedBefore(names, root, index) || index > names.anyAfter) return;
  const later = names.extractedBy.get(root);
  if (later !== undefined) return extractedTooLate(written, checked, later);
  if (root === "user") {
    return {
      message: `${written} needs a fixture, but this flow has no \`data\``,
      hint: "add `data: <file>.csv` to the flow",
    };
  }
  const variables = names.extractedBy.keys()
    .filter((name) => extractedBefore(names, name, index));
  const known = [...variables, ...names.pools, "env"];
  const all = [...known, ...names.extractedBy.keys()];
  const shout = /^[A-Z][A-Z0-9_]*$/.test(root) && path.length === 0;
  return {
    message: `${written} names nothing that ${
      step.id === "" ? "the flow" : `step \`${step.id}\``
    } knows`,
    hint: elsewhere("template", written.slice(3, -3)) ??
      didYouMean(root, all) ??
      (shout
        ? `for an environment variable write {{ env.${root} }}`
        : `known here: ${known.join(", ")}`),
  };
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

function extractedTooLate(
  written: string,
  { flow, step, index }: CheckedStep,
  later: number,
): Wording {
  const source = flow.steps[later]!;
  if (later === index) {
    return {
      message:
        `${written} is extracted by step \`${step.id}\` itself, from the response to this request`,
      hint: "extract it in an earlier step",
    };
  }
  return {
    message:
      `${written} is not known in step \`${step.id}\`: only the later step \`${source.id}\` extracts it`,
    hint: `move step \`${source.id}\` up`,
  };
}
