import { nearest } from "../../base/text/suggest.ts";
import type { Diagnostic } from "../../base/text/diagnostic.ts";
import { elsewhere, offeredBy } from "../expressions/elsewhere.ts";
import type { Entry } from "../source/node.ts";
import type { Find } from "../fields/mapping.ts";
import type { Slot } from "../fields/field.ts";
import { type Kind, type Kinds, STEP_KEYS } from "./registry.ts";

/** The action of one step, before its own keys are read. */
interface Action {
  /** Undefined when the step has none or several. */
  readonly kind: Kind | undefined;
  /** Reports that the step has no action, unless something else explains it. */
  reportMissing(): void;
}

/** Finds the one action key of a step; several are reported. */
export function readAction(slot: Slot, kinds: Kinds): Action {
  const { node, what } = slot;
  const entries = node.kind === "map" ? node.entries : [];
  const [first, second] = entries.filter(({ key }) => kinds.has(key));
  if (first && second) {
    slot.report({
      at: second.keyAt,
      code: "two-actions",
      message:
        `${what} has two actions, \`${first.key}\` and \`${second.key}\``,
      hint: "a step does one thing: make it two steps",
    });
  }
  const all = [...kinds.keys()];
  return {
    kind: second ? undefined : kinds.get(first?.key ?? ""),
    reportMissing() {
      // A misspelt action is one error, not also a missing action.
      if (first || entries.some(({ key }) => means(key, all))) return;
      slot.report({
        code: "no-action",
        message: `${what} has no action`,
        hint: `give it exactly one of: ${all.join(", ")}`,
      });
    },
  };
}

/** Whether a key was reported as another way to write an action. */
function means(key: string, actions: readonly string[]): boolean {
  const way = elsewhere("step", key);
  return nearest(key, actions) !== undefined || /`call: /.test(way ?? "") ||
    actions.includes(offeredBy(way) ?? "");
}

/** Whether a kind takes a step key, as its own or as a part of its block. */
export function takes({ keys, block }: Kind, key: string): boolean {
  return keys.some((each) => each === key) ||
    block.fields[key]?.written !== undefined;
}

/**
 * Reports step keys that do not go with the step's action, and returns them.
 *
 * @param blockKeys keys that are a part of some block
 */
export function reportMisplaced(
  find: Find,
  kind: Kind,
  blockKeys: readonly string[],
  slot: Slot,
): string[] {
  return [...blockKeys, ...STEP_KEYS].filter((key) => {
    const entry = find(key);
    if (!entry || takes(kind, key)) return false;
    const hint = wayOut(entry, kind, blockKeys);
    slot.report({ hint, ...misplaced(key, kind, slot.what), at: entry.keyAt });
    return true;
  });
}

/** The diagnostic of a key that does not go with the step's action. */
export function misplaced(
  key: string,
  { kind, requests }: Kind,
  what: string,
): Omit<Diagnostic, "at"> {
  return key === "auth" && !requests
    ? {
      code: "auth-without-request",
      message:
        `${what} is a \`${kind}\`, which makes no request, so it takes no \`auth\``,
      hint: "remove `auth`",
    }
    : {
      code: "key-not-allowed",
      message: `\`${key}\` does not go with \`${kind}\``,
    };
}

function wayOut(
  { key }: Entry,
  { kind, requests, instead }: Kind,
  blockKeys: readonly string[],
): string {
  if (!requests) {
    return `a \`${kind}\` step makes no request: remove \`${key}\``;
  }
  if (instead?.[key] !== undefined) return instead[key];
  return blockKeys.includes(key)
    ? `what is sent is inside the \`${kind}\` block`
    : `remove \`${key}\``;
}

/** Reports a key of the step that is inside the block. */
export function reportInside(
  { key, keyAt }: Entry,
  kind: Kind,
  slot: Slot,
): boolean {
  if (!takes(kind, key)) return false;
  slot.report({
    at: keyAt,
    code: "unknown-key",
    message: `\`${key}\` does not go into \`${kind.kind}\``,
    hint: `put it beside \`${kind.kind}\`, one level up`,
  });
  return true;
}
