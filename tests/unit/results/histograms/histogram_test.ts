import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import * as zlib from "node:zlib";
import fc from "fast-check";
import {
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
} from "hdr-histogram-js";
import int32 from "hdr-histogram-js/dist/Int32Histogram.js";
import {
  Histogram,
  mergeHistograms,
} from "../../../../lib/results/histograms/histogram.ts";
import {
  decodeHistogram,
  encodeHistogram,
} from "../../../../lib/results/histograms/histogram_text.ts";

function histogramOf(values: readonly number[]): Histogram {
  const histogram = new Histogram();
  for (const value of values) histogram.record(value);
  return histogram;
}

const latency = fc.integer({ min: 0, max: 3_600_000_000 }).map((us) =>
  us / 1_000
);
const latencies = fc.array(latency, { minLength: 1, maxLength: 60 });

Deno.test("Histogram gives every percentile within 0.1 % of the sorted values", () => {
  fc.assert(
    fc.property(latencies, fc.integer({ min: 1, max: 100 }), (values, p) => {
      const sorted = values.toSorted((a, b) => a - b);
      const expected = sorted[Math.ceil(p / 100 * sorted.length) - 1]!;
      const actual = histogramOf(values).distribution().percentile(p);
      assert.ok(
        Math.abs(actual - expected) <= expected * 0.001 + 0.001,
        `${actual} ${expected}`,
      );
    }),
  );
});

/** As the library counts them, in microseconds. */
function libraryOf(values: readonly number[]) {
  const library = new int32.default(1, 2, 3);
  library.autoResize = true;
  for (const ms of values) library.recordValue(Math.round(ms * 1_000));
  return library;
}

Deno.test("Histogram reads a percentile as the library does", () => {
  const percent = fc.oneof(
    fc.integer({ min: 1, max: 100 }),
    fc.double({ min: 0.01, max: 100, noNaN: true }),
  );
  fc.assert(
    fc.property(latencies, percent, (values, p) => {
      const { min, max, percentile } = histogramOf(values).distribution();
      const library = libraryOf(values);
      const within = Math.min(
        Math.max(library.getValueAtPercentile(p) / 1_000, min),
        max,
      );
      assert.equal(percentile(p), within);
    }),
  );
});

Deno.test("Histogram keeps count, minimum, maximum and average exactly", () => {
  const { count, min, max, avg } = histogramOf([1.234, 100.1, 30])
    .distribution();
  assert.deepEqual([count, min, max], [3, 1.234, 100.1]);
  assert.ok(Math.abs(avg - 131.334 / 3) < 1e-9);
});

Deno.test("mergeHistograms of parts is the histogram of the whole", () => {
  fc.assert(
    fc.property(
      fc.array(latencies, { minLength: 1, maxLength: 4 }),
      (parts) => {
        const merged = mergeHistograms(
          parts.map((part) => histogramOf(part).data()),
        );
        assert.deepEqual(merged.data(), histogramOf(parts.flat()).data());
      },
    ),
  );
});

Deno.test("Histogram data survives a structured clone", () => {
  const data = histogramOf([1, 2, 3]).data();
  assert.deepEqual(mergeHistograms([structuredClone(data)]).data(), data);
});

const ODD = [
  ["longer than an hour counts as an hour", 1e12, 3_600_000],
  ["infinite counts as an hour", Infinity, 3_600_000],
  ["negative counts as zero", -5, 0],
  ["not a number counts as zero", NaN, 0],
] as const;

for (const [rule, value, expected] of ODD) {
  Deno.test(`Histogram.record never throws: ${rule}`, () => {
    assert.equal(histogramOf([value]).distribution().max, expected);
    assert.equal(histogramOf([value]).distribution().percentile(50), expected);
  });
}

Deno.test("Histogram counts beyond what a byte, and what two hold", () => {
  const histogram = new Histogram();
  for (let i = 0; i < 70_000; i++) histogram.record(1);
  for (let i = 0; i < 300; i++) histogram.record(5);
  const { counts, count, max } = histogram.data();
  assert.deepEqual([counts[1_000], count, max], [70_000, 70_300, 5_000]);
  const merged = mergeHistograms([histogram.data(), histogram.data()]);
  assert.equal(merged.data().counts[1_000], 140_000);
  const { percentile } = merged.distribution();
  assert.deepEqual([percentile(99), percentile(99.9)], [1, 5]);
});

Deno.test("Histogram of nothing is all zero", () => {
  const { count, min, avg, max, percentile } = new Histogram().distribution();
  assert.deepEqual([count, min, avg, max, percentile(99)], [0, 0, 0, 0, 0]);
});

Deno.test("encodeHistogram and decodeHistogram keep every bucket", () => {
  fc.assert(fc.property(latencies, (values) => {
    const histogram = histogramOf(values);
    const back = decodeHistogram(encodeHistogram(histogram));
    assert.deepEqual(
      trimmed(back.data().counts),
      trimmed(histogram.data().counts),
    );
    assert.equal(back.data().count, values.length);
  }));
});

Deno.test("encodeHistogram writes the V2 compressed form", () => {
  const text = encodeHistogram(histogramOf([1, 2, 900]));
  assert.match(text, /^HISTF/);
  const head = zlib.inflateSync(Buffer.from(text, "base64").subarray(8));
  // No counts are shifted, and a count is worth what it says.
  assert.equal(head.readInt32BE(8), 0);
  assert.equal(head.readDoubleBE(32), 1);
});

Deno.test("encodeHistogram writes what the library reads, and decodeHistogram reads what it writes", () => {
  fc.assert(fc.property(latencies, (values) => {
    const histogram = histogramOf(values);
    const library = libraryOf(values);
    const read = decodeFromCompressedBase64(encodeHistogram(histogram), 32);
    for (const p of [0, 1, 50, 99, 99.99, 100]) {
      assert.equal(
        read.getValueAtPercentile(p),
        library.getValueAtPercentile(p),
      );
    }
    const back = decodeHistogram(encodeIntoCompressedBase64(library));
    assert.deepEqual(back.data().counts, histogram.data().counts);
  }));
});

Deno.test("decodeHistogram refuses text that is none", () => {
  assert.throws(() => decodeHistogram(btoa("this is no histogram")));
});

Deno.test("decodeHistogram: what was torn or made up is an error, in bounded time and memory", () => {
  const whole = Buffer.from(
    encodeHistogram(histogramOf([1, 2, 900])),
    "base64",
  );
  const inner = zlib.inflateSync(whole.subarray(8));
  const packed = (payload: Uint8Array) =>
    Buffer.concat([whole.subarray(0, 8), zlib.deflateSync(payload)]);
  /** With another number in the head. */
  const lying = (at: number, value: number) => {
    const bytes = Buffer.from(inner);
    bytes.writeInt32BE(value, at);
    return packed(bytes);
  };
  const refused: Readonly<Record<string, Uint8Array>> = {
    "a bomb": packed(Buffer.concat([inner, new Uint8Array(64 * 1024 * 1024)])),
    "a length beyond the end": lying(4, 0x7fffffff),
    "another precision": lying(12, 5),
    "no counts": packed(inner.subarray(0, 39)),
    "nothing": new Uint8Array(),
    "half of it": whole.subarray(0, whole.length - 6),
  };
  for (const [what, bytes] of Object.entries(refused)) {
    assert.throws(() => decodeHistogram(bytes.toBase64()), Error, what);
  }
  fc.assert(
    fc.property(fc.nat(inner.length - 1), fc.nat(255), (at, byte) => {
      const bytes = Buffer.from(inner);
      bytes[at] = byte;
      try {
        decodeHistogram(packed(bytes).toBase64()).distribution().percentile(99);
      } catch {
        // Refused is as good as read.
      }
    }),
    { numRuns: 1_000 },
  );
});

/** Without the zeros at the end. */
function trimmed(counts: Iterable<number>): number[] {
  const all = [...counts];
  return all.slice(0, all.findLastIndex((count) => count > 0) + 1);
}
