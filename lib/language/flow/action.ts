import { nearest } from "../../base/text/suggest.ts";
import type { Entry, Node } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import type { Find } from "../fields/entries.ts";
import { type Kind, type Kinds, STEP_KEYS } from "./kind.ts";

/** The action of one step, before its own keys are read. */
interface Action {
  /** Undefined when the step has none or several. */
  readonly kind: Kind | undefined;
  /** Reports that the step has no action, unless something else explains it. */
  reportMissing(step: Node | undefined): void;
}

/** Finds the one action key of a step; several are reported. */
export function readAction(
  node: Node,
  what: string,
  kinds: Kinds,
  reader: Reader,
): Action {
  const entries = node.kind === "map" ? node.entries : [];
  const [first, second] = entries.filter(({ key }) => kinds.has(key));
  if (first && second) {
    reader.report({
      at: second.keyAt,
      code: "two-actions",
      message:
        `${what} has two actions, \`${first.key}\` and \`${second.key}\``,
      hint: "a step does one thing: make it two steps",
    });
  }
  const all = [...kinds.keys()];
  // A misspelt action is one error, not also a missing action.
  const misspelt = entries.some(({ key }) => nearest(key, all));
  return {
    kind: second ? undefined : kinds.get(first?.key ?? ""),
    reportMissing(step) {
      if (!step || first || misspelt) return;
      reader.report({
        at: step.at,
        code: "no-action",
        message: `${what} has no action`,
        hint: `give it exactly one of: ${all.join(", ")}`,
      });
    },
  };
}

/** Whether a kind takes a step key, as its own or as a part of its block. */
export function takes({ keys, block }: Kind, key: string): boolean {
  return keys.some((each) => each === key) ||
    block.fields[key]?.written !== undefined;
}

/**
 * Reports step keys that do not go with the step's action.
 *
 * @param blockKeys keys that are a part of some block
 */
export function reportMisplaced(
  find: Find,
  kind: Kind,
  what: string,
  blockKeys: readonly string[],
  reader: Reader,
): void {
  for (const key of [...blockKeys, ...STEP_KEYS]) {
    const entry = find(key);
    if (!entry || takes(kind, key)) continue;
    const silent = key === "auth" && !kind.requests;
    reader.report({
      at: entry.keyAt,
      code: silent ? "auth-without-request" : "key-not-allowed",
      message: silent
        ? `${what} is a \`${kind.kind}\`, which makes no request, so it takes no \`auth\``
        : `\`${key}\` does not go with \`${kind.kind}\``,
      hint: silent ? "remove `auth`" : wayOut(entry, kind, blockKeys),
    });
  }
}

function wayOut(
  { key }: Entry,
  { kind, requests, instead }: Kind,
  blockKeys: readonly string[],
): string {
  if (!requests) {
    return `a \`${kind}\` step gets no response: remove \`${key}\``;
  }
  if (blockKeys.includes(key)) {
    return `what is sent is inside the \`${kind}\` block`;
  }
  return instead?.[key] ?? `remove \`${key}\``;
}

/** Reports a key of the step that is inside the block. */
export function reportInside(
  { key, keyAt }: Entry,
  kind: Kind,
  reader: Reader,
): boolean {
  if (!takes(kind, key)) return false;
  reader.report({
    at: keyAt,
    code: "unknown-key",
    message: `\`${key}\` does not go into \`${kind.kind}\``,
    hint: `put it beside \`${kind.kind}\`, one level up`,
  });
  return true;
}
