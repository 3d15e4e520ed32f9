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
  /** Requests of the first recording that the second does not have. */
  readonly missing: number;

  constructor(
    first: readonly Exchange[],
    readonly exchanges: readonly Exchange[],
  ) {
    const shapes = exchanges.map(shape);
    let from = 0;
    this.#pairs = first.map((each) => {
      const at = shapes.indexOf(shape(each), from);
      if (at < 0) return;
      from = at + 1;
      return exchanges[at];
    });
    const { length } = this.#pairs.filter((each) => each !== undefined);
    this.surplus = exchanges.length - length;
    this.missing = first.length - length;
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
    const given = this.#given(source);
    if (sent === undefined || given === NO_PAIR) return true;
    return given !== undefined && String(given) === String(sent);
  }

  /** Whether it came from there with another value than in the first recording. */
  confirms(index: number, slot: Slot, source: Source): boolean {
    const sent = this.valueOf(index, slot);
    return sent !== undefined && sent !== slot.value &&
      this.#given(source) === sent;
  }

  /** The value at the same place of the response. */
  #given(source: Source): string | number | typeof NO_PAIR | undefined {
    const giver = this.#pairs[source.exchange];
    if (!giver) return NO_PAIR;
    const sources = this.#sources.get(source.exchange) ??
      new Map(sourcesOf(giver, 0).map((each) => [fromText(each), each]));
    this.#sources.set(source.exchange, sources);
    return sources.get(fromText(source))?.value;
  }
}

const NO_PAIR = Symbol("no request beside it");

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
