import type { Protocol } from "../protocols/protocol.ts";
import { protocols } from "../protocols/registry.ts";
import type { ForeignKey } from "../source/mapping.ts";
import type { Entry, Node } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import { nearest } from "../text/suggest.ts";

/** Actions of the flow language; some may not be in the registry yet. */
const ACTIONS = ["call", "graphql", "ws", "grpc", "wait", "poll"] as const;

/** The action of one step, before its own keys are read. */
export interface Action {
  /** Undefined when the step has none, several, or one that cannot run yet. */
  readonly protocol: Protocol | undefined;
  /** Speaks of actions this version does not know. */
  readonly foreign: ForeignKey;
  /** Reports that the step has no action, unless something else explains it. */
  reportMissing(step: Node | undefined): void;
}

/** Finds the one action key of a step; several are reported. */
export function readAction(node: Node, what: string, reader: Reader): Action {
  const entries = node.kind === "map" ? node.entries : [];
  const found = entries.filter(({ key }) =>
    protocols.has(key) || isAction(key)
  );
  const [first, second] = found;
  if (first && second) reportSecond(first, second, what, reader);
  // A misspelt action is one mistake, not also a missing action.
  const misspelt = entries.some(({ key }) =>
    nearest(key, [...protocols.keys()])
  );
  return {
    protocol: second ? undefined : protocols.get(first?.key ?? ""),
    foreign: (entry) => reportUnsupported(entry, reader),
    reportMissing(step) {
      if (!step || first || misspelt) return;
      reader.report(
        step.span,
        "no-action",
        `${what} has no action`,
        `give it exactly one of: ${[...protocols.keys()].join(", ")}`,
      );
    },
  };
}

function isAction(key: string): boolean {
  return ACTIONS.some((each) => each === key);
}

function reportSecond(
  first: Entry,
  second: Entry,
  what: string,
  reader: Reader,
): void {
  reader.report(
    second.keySpan,
    "two-actions",
    `${what} has two actions, \`${first.key}\` and \`${second.key}\``,
    "a step does one thing: make it two steps",
  );
}

function reportUnsupported({ key, keySpan }: Entry, reader: Reader): boolean {
  if (!isAction(key)) return false;
  reader.report(
    keySpan,
    "unsupported-action",
    `this version cannot run \`${key}\` steps yet`,
    `it can run: ${[...protocols.keys()].join(", ")}`,
  );
  return true;
}
