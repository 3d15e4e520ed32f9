import type { Trace } from "../../model/result/trace.ts";
import { deflated, inflated } from "./trace_text.ts";
import type { TraceData } from "./traces.ts";

type Lists = Pick<TraceData, "failures" | "slowest" | "sample" | "cells">;

/** Without the trace itself. */
type Entries<List extends readonly { readonly item: Trace }[]> = readonly Omit<
  List[number],
  "item"
>[];

/**
 * Kept traces on their way to another thread. Built they are most of the memory of a
 * run with long flows, on each thread and once more on the one that puts them together,
 * which drops most of them.
 */
export interface PackedTraces extends Omit<TraceData, keyof Lists> {
  readonly lists: { readonly [Name in keyof Lists]: Entries<Lists[Name]> };
  /** Each trace once, by iteration: its JSON, deflated. */
  readonly texts: ReadonlyMap<number, Uint8Array<ArrayBuffer>>;
}

export function packTraces(
  { failures, slowest, sample, cells, ...rest }: TraceData,
): PackedTraces {
  const texts = new Map<number, Uint8Array<ArrayBuffer>>();
  const packed = <Entry extends { readonly iteration: number }>(
    list: readonly (Entry & { readonly item: Trace })[],
  ) =>
    list.map(({ item, ...entry }) => {
      texts.set(entry.iteration, deflated(item));
      return entry;
    });
  const lists = {
    failures: packed(failures),
    slowest: packed(slowest),
    sample: packed(sample),
    cells: packed(cells),
  };
  return { ...rest, lists, texts };
}

/** Each trace is read from its text whenever it is asked for. */
export function unpackTraces(
  { lists: { failures, slowest, sample, cells }, texts, ...rest }: PackedTraces,
): TraceData {
  const whole = <Entry extends { readonly iteration: number }>(
    list: readonly Entry[],
  ) =>
    list.map((entry) => ({
      ...entry,
      get item() {
        return inflated(texts.get(entry.iteration)!);
      },
    }));
  return {
    ...rest,
    failures: whole(failures),
    slowest: whole(slowest),
    sample: whole(sample),
    cells: whole(cells),
  };
}
