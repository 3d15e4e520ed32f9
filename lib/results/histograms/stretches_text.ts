import { narrowed } from "../../base/values/counts.ts";
import type { LatencyBlock } from "../../model/result/latency.ts";
import { NumberReader, NumberWriter } from "./leb128.ts";

/**
 * Writes a stretch as LEB128 numbers: how many buckets are filled, then for each of
 * these how far it lies beyond the one before, and its count.
 */
export function writeBlock(
  to: NumberWriter,
  { buckets, counts }: LatencyBlock,
): void {
  to.write(buckets.length);
  let before = 0;
  for (let i = 0; i < buckets.length; i++) {
    const bucket = buckets[i]!;
    to.write(bucket - before);
    to.write(counts[i]!);
    before = bucket;
  }
}

/** Reads such stretches back. @throws {Error} when one is cut short */
export function readBlocks(bytes: Uint8Array): LatencyBlock[] {
  const reader = new NumberReader(bytes);
  const blocks: LatencyBlock[] = [];
  while (!reader.atEnd) {
    const filled = reader.read();
    const buckets: number[] = [];
    const counts: number[] = [];
    let before = 0;
    for (let i = 0; i < filled; i++) {
      before += reader.read();
      buckets.push(before);
      counts.push(reader.read());
    }
    blocks.push({
      buckets: new Uint16Array(buckets),
      counts: narrowed(counts),
    });
  }
  return blocks;
}

/** Stretches as Base64 of their bytes. */
export function encodeBlocks(blocks: readonly LatencyBlock[]): string {
  const writer = new NumberWriter();
  for (const block of blocks) writeBlock(writer, block);
  return writer.bytes.toBase64();
}

/** Reads that text back. @throws {Error} when it is cut short or no Base64 */
export function decodeBlocks(text: string): LatencyBlock[] {
  return readBlocks(Uint8Array.fromBase64(text));
}
