import {
  parseTemplate,
  quote,
  type Reference,
  type TemplateParts,
} from "../expressions/template.ts";
import type { Flow } from "../ir.ts";
import type { Report, Wording } from "../../base/text/diagnostic.ts";
import { nearest } from "../../base/text/suggest.ts";
import {
  extractedBefore,
  type KnownNames,
  variablesBefore,
} from "./known_names.ts";
import type { Parts } from "./parts.ts";
import { templatedStrings } from "./templated.ts";

/** What the templates of a step are checked against. */
interface Known {
  readonly names: KnownNames;
  readonly parts: Parts;
  /**
   * Its auth is the flow's, which is checked by itself: left is what comes too
   * late for this step.
   */
  readonly inherits: boolean;
}

/** Reports every template of a step that cannot have a value. */
export function checkReferences(
  flow: Flow,
  index: number,
  { names, parts: stepParts, inherits }: Known,
  report: Report,
): void {
  const step = flow.steps[index]!;
  const auth = `/steps/${index}/auth/`;
  const strings = templatedStrings(step, `/steps/${index}`, stepParts);
  for (const { pointer, text, extracted } of strings) {
    const shared = inherits && pointer.startsWith(auth);
    let parts: TemplateParts;
    try {
      parts = parseTemplate(text);
    } catch (error) {
      if (!shared) {
        report({
          at: pointer,
          code: "bad-template",
          message: (error as Error).message,
        });
      }
      continue;
    }
    for (const part of parts) {
      if (typeof part === "string") continue;
      if (shared && !names.extractedBy.has(part.root)) continue;
      const known = extracted && extractedBefore(names, part.root, index + 1);
      const wording = known ? undefined : unresolved(part, flow, index, names);
      if (!wording) continue;
      const fromAuth = pointer.startsWith(auth) && step.id !== "" &&
        names.extractedBy.has(part.root);
      report({
        ...wording,
        at: { pointer, inside: quote(part) },
        code: "unresolved-template",
        ...(fromAuth && {
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
  flow: Flow,
  index: number,
  names: KnownNames,
): Wording | undefined {
  const { root, path } = reference;
  const written = quote(reference);
  if (root === "env") return unresolvedEnv(written, path);
  if (names.pools.has(root)) {
    return path.length > 0 ? undefined : {
      message: `${written} names no column of the fixture`,
      hint: `write {{ ${root}.<column> }}`,
    };
  }
  if (extractedBefore(names, root, index)) return undefined;
  const step = flow.steps[index]!;
  const later = names.extractedBy.get(root)?.[0];
  if (later !== undefined) {
    return extractedTooLate(written, flow, index, later);
  }
  if (root === "user") {
    return {
      message: `${written} needs a fixture, but this flow has no \`data\``,
      hint: "add `data: <file>.csv` to the flow",
    };
  }
  const known = [...variablesBefore(names, index), ...names.pools, "env"];
  const near = nearest(root, [...known, ...names.extractedBy.keys()]);
  const shout = /^[A-Z][A-Z0-9_]*$/.test(root) && path.length === 0;
  return {
    message: `${written} names nothing that ${
      step.id === "" ? "the flow" : `step \`${step.id}\``
    } knows`,
    hint: near
      ? `did you mean \`${near}\`?`
      : shout
      ? `for an environment variable write {{ env.${root} }}`
      : `known here: ${known.join(", ")}`,
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
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return undefined;
  return {
    message:
      `${written} names \`${name}\`, which cannot be an environment variable`,
    hint: "such a name has letters, digits and _ only",
  };
}

function extractedTooLate(
  written: string,
  flow: Flow,
  index: number,
  later: number,
): Wording {
  const step = flow.steps[index]!;
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
