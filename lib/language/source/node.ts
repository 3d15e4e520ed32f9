import { shortened } from "../../base/text/display.ts";
import type { SourceLocation } from "../../base/text/location.ts";

/** A YAML value and where it is. Aliases are resolved, tags are refused. */
export type Node = ScalarNode | ListNode | MapNode;

/** Where a value is. */
interface Placed {
  readonly at: SourceLocation;
  /** Where it is used, of a value that an alias stands for. */
  readonly usedAt?: SourceLocation;
}

/** A scalar with its core-schema type. */
export interface ScalarNode extends Placed {
  readonly kind: "scalar";
  readonly value: null | boolean | number | string;
  /** The scalar as written, without quotes: `1.10` stays `1.10`. */
  readonly text: string;
  /** Written without quotes, so that its type was guessed. */
  readonly plain: boolean;
}

/** A sequence. */
export interface ListNode extends Placed {
  readonly kind: "list";
  readonly items: readonly Node[];
}

/** A mapping; keys are strings, unique, in file order. */
export interface MapNode extends Placed {
  readonly kind: "map";
  readonly entries: readonly Entry[];
  /**
   * The text of a `{{ name }}` that YAML read as a mapping because it was not
   * quoted; the commonest error there is.
   */
  readonly unquotedTemplate?: string;
  /** Entries that are refused for their keys: nothing reads their values. */
  readonly dropped?: readonly Entry[];
}

/** One key and its value. */
export interface Entry {
  readonly key: string;
  readonly keyAt: SourceLocation;
  readonly value: Node;
}

/** A node in the words of an error message. */
export function describe(node: Node): string {
  if (node.kind === "list") return "a list";
  if (node.kind === "map") {
    return node.unquotedTemplate ? "an unquoted template" : "a mapping";
  }
  if (node.value === null) return "nothing";
  // As it is written: a double has not all the digits.
  const written = Number.isInteger(node.value) &&
      !Number.isSafeInteger(node.value)
    ? node.text
    : JSON.stringify(node.value);
  return `the ${typeof node.value} ${shortened(written, LONGEST)}`;
}

/** A message quotes this much of a value. */
const LONGEST = 61;

/** The entry of a key of a mapping. */
export function entryOf(node: Node, key: string): Entry | undefined {
  return node.kind === "map"
    ? node.entries.find((each) => each.key === key)
    : undefined;
}
