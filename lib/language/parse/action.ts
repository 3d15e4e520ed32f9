import type { Protocol } from "../../steps/protocol.ts";
import { protocols } from "../../steps/registry.ts";
import type { Entry, Node } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import { nearest } from "../../base/text/suggest.ts";

/** The action of one step, before its own keys are read. */
export interface Action {
  /** Undefined when the step has none or several. */
  readonly protocol: Protocol | undefined;
  /** Reports that the step has no action, unless something else explains it. */
  reportMissing(step: Node | undefined): void;
}

/** Finds the one action key of a step; several are reported. */
export function readAction(node: Node, what: string, reader: Reader): Action {
  const entries = node.kind === "map" ? node.entries : [];
  const found = entries.filter(({ key }) => protocols.has(key));
  const [first, second] = found;
  if (first && second) reportSecond(first, second, what, reader);
  // A misspelt action is one mistake, not also a missing action.
  const misspelt = entries.some(({ key }) =>
    nearest(key, [...protocols.keys()])
  );
  return {
    protocol: second ? undefined : protocols.get(first?.key ?? ""),
    reportMissing(step) {
      if (!step || first || misspelt) return;
      reader.report({
        at: step.at,
        code: "no-action",
        message: `${what} has no action`,
        hint: `give it exactly one of: ${[...protocols.keys()].join(", ")}`,
      });
    },
  };
}

function reportSecond(
  first: Entry,
  second: Entry,
  what: string,
  reader: Reader,
): void {
  reader.report({
    at: second.keyAt,
    code: "two-actions",
    message: `${what} has two actions, \`${first.key}\` and \`${second.key}\``,
    hint: "a step does one thing: make it two steps",
  });
}
