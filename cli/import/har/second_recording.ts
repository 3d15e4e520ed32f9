import type { Exchange } from "./har_file.ts";
import type { Slot } from "./slots.ts";
import { slotsOf } from "./slots.ts";
import { type Source, sourcesOf } from "./sources.ts";

/** The same journey once more, request by request beside the first. */
export class SecondRecording {
  readonly #pairs: readonly (Exchange | undefined)[];
  readonly #slots = new Map<number, ReadonlyMap<string, Slot>>();
  readonly #sources = new Map<number, ReadonlyMap<string, Source>>();
  /** Requests of the second recording that the first does not have. */
  readonly surplus: number;

  constructor(first: readonly Exchange[], second: readonly Exchange[]) {
    const free = new Set(second.keys());
    let from = 0;
    this.#pairs = first.map((each) => {
      const at = [...free].find((index) =>
        index >= from && shape(second[index]!) === shape(each)
      );
      if (at === undefined) return;
      free.delete(at);
      from = at;
      return second[at];
    });
    this.surplus = free.size;
  }

  /** The request beside the nth of the first recording. */
  beside(index: number): Exchange | undefined {
    return this.#pairs[index];
  }

  /** The value in the same place; undefined when there is none. */
  valueOf(index: number, slot: Slot): string | number | undefined {
    const other = this.#pairs[index];
    if (!other) return;
    const slots = this.#slots.get(index) ??
      new Map(slotsOf(other).map((each) => [each.at, each]));
    this.#slots.set(index, slots);
    return slots.get(slot.at)?.value;
  }

  /** Whether the value came from the same place there as well. */
  agrees(index: number, slot: Slot, source: Source): boolean {
    const sent = this.valueOf(index, slot);
    const giver = this.#pairs[source.exchange];
    if (sent === undefined || !giver) return true;
    const sources = this.#sources.get(source.exchange) ??
      new Map(sourcesOf(giver, 0).map((each) => [fromText(each), each]));
    this.#sources.set(source.exchange, sources);
    const given = sources.get(fromText(source))?.value;
    return given !== undefined && String(given) === String(sent);
  }
}

function fromText({ from }: Source): string {
  return JSON.stringify(from);
}

/** Method, host and path without what names one of many. */
function shape({ method, url }: Exchange): string {
  const path = url.pathname.split("/").map((part) =>
    /\d|[\w-]{20,}/.test(part) ? "*" : part
  ).join("/");
  return `${method} ${url.hostname}${path}`;
}
