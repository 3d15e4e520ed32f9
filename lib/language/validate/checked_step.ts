import type { Report } from "../../base/text/diagnostic.ts";
import type { Kind } from "../flow/kind.ts";
import type { AuthScheme } from "../flow/scheme.ts";
import type { Flow, Step } from "../ir.ts";
import type { Parts } from "./parts.ts";

/** Whether the file says the value at a JSON Pointer without an error. */
export type IsSound = (pointer: string) => boolean;

/** One step, as the rules see it that need no more of its flow. */
export interface LoneStep {
  readonly step: Step;
  /** JSON Pointer of the step. */
  readonly pointer: string;
  readonly kind: Kind | undefined;
  /** Of its auth; absent when that does not fit one. */
  readonly scheme: AuthScheme | undefined;
  /** Nothing of its auth was left out, so that its fields may be compared. */
  readonly hasWholeAuth: boolean;
  readonly parts: Parts;
  readonly report: Report;
}

/** One step of a flow, as the rules across steps see it. */
export interface CheckedStep extends LoneStep {
  readonly flow: Flow;
  readonly index: number;
  readonly names: KnownNames;
  /** See `Reader.bareNames`. */
  readonly bareNames: ReadonlyMap<string, string>;
  /** Its auth is the flow's, which is checked by itself. */
  readonly inherits: boolean;
}

/** The names a flow defines. */
export interface KnownNames {
  /** Pools by name; YAML has one, `user`. */
  readonly pools: ReadonlySet<string>;
  /** The first step that extracts each variable, by index. */
  readonly extractedBy: ReadonlyMap<string, number>;
  /** The first step whose `extract` could not be read: later ones may know any name. */
  readonly anyAfter: number;
}

/** Collects the names of a flow. */
export function knownNames(flow: Flow, isSound: IsSound): KnownNames {
  const unread = flow.steps.findIndex(({ extract }, index) =>
    extract === undefined && !isSound(`/steps/${index}/extract`)
  );
  const extracted = flow.steps.flatMap((step, index) =>
    Object.keys(step.extract ?? {}).map((name) => [name, index] as const)
  );
  return {
    pools: new Set([
      ...(flow.pools ?? []).map(({ name }) => name),
      ...(isSound("/data") ? [] : ["user"]),
    ]),
    anyAfter: unread < 0 ? Infinity : unread,
    extractedBy: new Map(
      Map.groupBy(extracted, ([name]) => name).entries()
        .map(([name, [first]]) => [name, first![1]]),
    ),
  };
}

/** Whether `name` is extracted before step `index` makes its request. */
export function extractedBefore(
  { extractedBy }: KnownNames,
  name: string,
  index: number,
): boolean {
  return (extractedBy.get(name) ?? Infinity) < index;
}
