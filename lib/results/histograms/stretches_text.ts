import { narrowed } from "../../base/values/counts.ts";
import type { LatencyBlock } from "../../model/result/latency.ts";
import type { StretchesData } from "./latency_stretches.ts";
import { NumberReader, writeNumber } from "./leb128.ts";

/**
 * Base64 of LEB128 numbers: for each stretch how many buckets are filled, then for
 * each of these how far it lies beyond the one before, and its count.
 */
export function encodeBlocks({ blocks }: StretchesData): string {
  const bytes: number[] = [];
  for (const { buckets, counts } of blocks) {
    writeNumber(bytes, buckets.length);
    let before = 0;
    buckets.forEach((bucket, i) => {
      writeNumber(bytes, bucket - before);
      writeNumber(bytes, counts[i]!);
      before = bucket;
    });
  }
  return Uint8Array.from(bytes).toBase64();
}

/** Reads that text back. @throws {Error} when it is cut short or no base64 */
export function decodeBlocks(text: string): LatencyBlock[] {
  const reader = new NumberReader(Uint8Array.fromBase64(text));
  const blocks: LatencyBlock[] = [];
  while (!reader.atEnd) {
    const filled = reader.read();
    const buckets = new Uint16Array(filled);
    const counts: number[] = [];
    let before = 0;
    for (let i = 0; i < filled; i++) {
      before += reader.read();
      buckets[i] = before;
      counts.push(reader.read());
    }
    blocks.push({ buckets, counts: narrowed(counts) });
  }
  return blocks;
}
