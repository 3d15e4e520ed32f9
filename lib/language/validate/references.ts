import {
  parseTemplate,
  quote,
  type Reference,
  type TemplateParts,
} from "../expressions/template.ts";
import type { Flow } from "../../model/ir/flow.ts";
import type { Report } from "../../base/text/report.ts";
import { nearest } from "../../base/text/suggest.ts";
import {
  extractedBefore,
  type KnownNames,
  variablesBefore,
} from "./known_names.ts";
import { templatedStrings } from "./templated.ts";

/**
 * Reports every template of a step that cannot have a value.
 *
 * @param inherits its auth is the flow's, which is checked by itself: left is
 *   what comes too late for this step
 */
export function checkReferences(
  flow: Flow,
  index: number,
  names: KnownNames,
  report: Report,
  inherits = false,
): void {
  const step = flow.steps[index]!;
  const auth = `/steps/${index}/auth/`;
  const strings = templatedStrings(step, `/steps/${index}`);
  for (const { pointer, text, extracted } of strings) {
    const shared = inherits && pointer.startsWith(auth);
    let parts: TemplateParts;
    try {
      parts = parseTemplate(text);
    } catch (error) {
      if (!shared) report(pointer, "bad-template", (error as Error).message);
      continue;
    }
    for (const part of parts) {
      if (typeof part === "string") continue;
      if (shared && !names.extractedBy.has(part.root)) continue;
      const known = extracted && extractedBefore(names, part.root, index + 1);
      const problem = known ? undefined : problemOf(part, flow, index, names);
      if (!problem) continue;
      const written = quote(part);
      report(
        pointer,
        "unresolved-template",
        `${written} ${problem.why}`,
        pointer.startsWith(auth) && step.id !== "" &&
          names.extractedBy.has(part.root)
          ? `if step \`${step.id}\` needs no credentials, give it \`auth: { scheme: none }\``
          : problem.hint,
        written,
      );
    }
  }
}

interface Problem {
  readonly why: string;
  readonly hint: string;
}

function problemOf(
  reference: Reference,
  flow: Flow,
  index: number,
  names: KnownNames,
): Problem | undefined {
  const { root, path } = reference;
  if (root === "env") return envProblem(path);
  if (names.pools.has(root)) {
    return path.length > 0 ? undefined : {
      why: "names no column of the fixture",
      hint: `write {{ ${root}.<column> }}`,
    };
  }
  if (extractedBefore(names, root, index)) return undefined;
  const step = flow.steps[index]!;
  const later = names.extractedBy.get(root)?.[0];
  if (later !== undefined) {
    return extractedTooLate(flow, index, later);
  }
  if (root === "user") {
    return {
      why: "needs a fixture, but this flow has no `data`",
      hint: "add `data: <file>.csv` to the flow",
    };
  }
  const known = [...variablesBefore(names, index), ...names.pools, "env"];
  const near = nearest(root, [...known, ...names.extractedBy.keys()]);
  const shout = /^[A-Z][A-Z0-9_]*$/.test(root) && path.length === 0;
  return {
    why: `names nothing that ${
      step.id === "" ? "the flow" : `step \`${step.id}\``
    } knows`,
    hint: near
      ? `did you mean \`${near}\`?`
      : shout
      ? `for an environment variable write {{ env.${root} }}`
      : `known here: ${known.join(", ")}`,
  };
}

function envProblem(path: readonly string[]): Problem | undefined {
  const name = path.join(".");
  if (name === "") {
    return {
      why: "names no environment variable",
      hint: "write {{ env.<NAME> }}",
    };
  }
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return undefined;
  return {
    why: `names \`${name}\`, which cannot be an environment variable`,
    hint: "such a name has letters, digits and _ only",
  };
}

function extractedTooLate(
  flow: Flow,
  index: number,
  later: number,
): Problem {
  const step = flow.steps[index]!;
  const source = flow.steps[later]!;
  if (later === index) {
    return {
      why:
        `is extracted by step \`${step.id}\` itself, from the answer to this request`,
      hint: "extract it in an earlier step",
    };
  }
  return {
    why:
      `is not known in step \`${step.id}\`: only the later step \`${source.id}\` extracts it`,
    hint: `move step \`${source.id}\` up`,
  };
}
