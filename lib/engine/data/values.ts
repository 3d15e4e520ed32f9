import {
  DRAWS,
  fractionOf,
  keyOf,
  type Words,
  wordsOf,
} from "../../base/time/random.ts";
import type { JsonValue } from "../../base/values/json.ts";
import {
  compileText,
  type Drawn,
  Embedded,
  type Names,
  ResolutionError,
  type Row,
} from "../../language/expressions/template.ts";
import type { DrawnValue } from "../../language/ir.ts";

/**
 * Draws the values of an iteration, in the order of the flow. They depend on the
 * seed, the flow and the number that also picks its rows: it does not matter which
 * thread, or which machine, runs the iteration.
 */
export type ValueSource = (
  number: number,
  rows: (Row | undefined)[],
) => readonly Drawn[];

interface SourceOptions {
  readonly seed: number;
  /** Among the flows of the run: each draws other values. */
  readonly flow?: number;
  /** Now, in milliseconds since the epoch. */
  readonly wall: () => number;
  /**
   * Of an iteration that is carried out once more, what its values were, as text by
   * name: the time of then is in them.
   */
  readonly before?: Readonly<Record<string, string>> | undefined;
}

/** The facts of an iteration that a value is drawn from. */
interface Occasion {
  readonly number: number;
  readonly moment: number;
  readonly rows: (Row | undefined)[];
  /** The values above it. */
  readonly values: readonly Drawn[];
}

type DrawOne = (occasion: Occasion) => Drawn;

/** Compiles the `values` of a flow. */
export function compileValues(
  values: readonly DrawnValue[],
  names: Names,
  options: SourceOptions,
): ValueSource {
  const draws = values.map((value, index) =>
    compileValue(value, index, names, options)
  );
  return (number, rows) => {
    const drawn: Drawn[] = [];
    const occasion = { number, moment: options.wall(), rows, values: drawn };
    for (const draw of draws) drawn.push(draw(occasion));
    return drawn;
  };
}

function compileValue(
  value: DrawnValue,
  index: number,
  names: Names,
  { seed, flow = 0, before = {} }: SourceOptions,
): DrawOne {
  const key = keyOf(seed, flow);
  const words = ({ number }: Occasion, block = 0) =>
    wordsOf(key, [number, index, block, DRAWS.values]);
  switch (value.kind) {
    case "uuid":
      return value.version === 4
        ? (each) => uuid(words(each), 4)
        : (each) => uuid(timed(words(each), each.number), 7);
    case "int": {
      const { min, max } = value;
      return (each) => uniform(words(each), min, max);
    }
    case "decimal": {
      const { min, max, digits } = value;
      return (each) =>
        new Embedded(withPoint(uniform(words(each), min, max), digits));
    }
    case "choice":
      return compileChoice(value.of, value.weights, words);
    case "counter":
      return ({ number }) => number + 1;
    case "hex": {
      const { length } = value;
      return (each) => {
        let text = "";
        for (let block = 0; text.length < length; block++) {
          text += hex(words(each, block));
        }
        return text.slice(0, length);
      };
    }
    case "now": {
      const { name, format, offset_us = 0 } = value;
      const was = before[name];
      if (was !== undefined) {
        const same = format.startsWith("unix") ? Number(was) : was;
        return () => same;
      }
      return ({ moment }) => formatted(moment + offset_us / 1_000, format);
    }
    case "text": {
      const text = compileText(value.text, names);
      return ({ rows, values }) => {
        try {
          return text.render({ variables: [], rows, values });
        } catch (error) {
          if (error instanceof ResolutionError) return error;
          throw error;
        }
      };
    }
  }
}

/** A whole number from `min` to `max`, each as likely as the others. */
function uniform(words: Words, min: number, max: number): number {
  return min + Math.floor(fractionOf(words) * (max - min + 1));
}

const bytes = new Uint8Array(16);
const view = new DataView(bytes.buffer);

function hex([a, b, c, d]: Words): string {
  view.setUint32(0, a);
  view.setUint32(4, b);
  view.setUint32(8, c);
  view.setUint32(12, d);
  return bytes.toHex();
}

/** RFC 9562, with the bits of version and variant set. */
function uuid([a, b, c, d]: Words, version: 4 | 7): string {
  const text = hex([
    a,
    b & 0xffff0fff | version << 12,
    c & 0x3fffffff | 0x80000000,
    d,
  ]);
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${
    text.slice(16, 20)
  }-${text.slice(20)}`;
}

/**
 * With a time in the first 48 bits: the number as milliseconds of the year 2026. It
 * sorts as the iterations do, and the same run draws the same (RFC 9562 section
 * 6.1 leaves the exactness of the time open).
 */
function timed([, b, c, d]: Words, number: number): Words {
  const time = Date.UTC(2026, 0) + number;
  const low = (time % 0x10000) << 16 >>> 0;
  return [Math.floor(time / 0x10000), (low | b & 0xffff) >>> 0, c, d];
}

/** Such as 5 with 2 digits as `0.05`. */
function withPoint(units: number, digits: number): string {
  if (digits === 0) return String(units);
  const text = String(Math.abs(units)).padStart(digits + 1, "0");
  return `${units < 0 ? "-" : ""}${text.slice(0, -digits)}.${
    text.slice(-digits)
  }`;
}

function compileChoice(
  of: readonly JsonValue[],
  weights: readonly number[] | undefined,
  words: (each: Occasion) => Words,
): DrawOne {
  if (!weights) return (each) => of[uniform(words(each), 0, of.length - 1)]!;
  let sum = 0;
  const ends = weights.map((each) => sum += each);
  const last = weights.findLastIndex((each) => each > 0);
  return (each) => {
    const at = fractionOf(words(each)) * sum;
    const found = ends.findIndex((end) => at < end);
    // The product may be rounded up to the sum.
    return of[found < 0 ? last : found]!;
  };
}

/** The moment in UTC. */
function formatted(
  ms: number,
  format: Extract<DrawnValue, { kind: "now" }>["format"],
): string | number {
  if (format === "unix") return Math.floor(ms / 1_000);
  if (format === "unix_ms") return Math.floor(ms);
  const text = new Date(Math.floor(ms)).toISOString();
  return format === "date" ? text.slice(0, "2026-01-01".length) : text;
}
