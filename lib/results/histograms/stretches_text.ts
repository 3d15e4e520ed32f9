import type { LatencyBlock } from "../../model/result/latency_block.ts";
import type { StretchesData } from "./latency_stretches.ts";

/**
 * Base64 of LEB128 numbers: for each stretch how many buckets are filled, then for
 * each of these how far it lies beyond the one before, and its count.
 */
export function encodeBlocks({ blocks }: StretchesData): string {
  const bytes: number[] = [];
  for (const { buckets, counts } of blocks) {
    write(bytes, buckets.length);
    let before = 0;
    buckets.forEach((bucket, i) => {
      write(bytes, bucket - before);
      write(bytes, counts[i]!);
      before = bucket;
    });
  }
  return Uint8Array.from(bytes).toBase64();
}

/** Reads that text back. @throws {Error} when it is cut short or no base64 */
export function decodeBlocks(text: string): LatencyBlock[] {
  const bytes = Uint8Array.fromBase64(text);
  let at = 0;
  const read = () => {
    let value = 0;
    for (let scale = 1;; scale *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error("a block is cut short");
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const blocks: LatencyBlock[] = [];
  while (at < bytes.length) {
    const filled = read();
    const buckets = new Uint16Array(filled);
    const counts = new Uint32Array(filled);
    let before = 0;
    for (let i = 0; i < filled; i++) {
      before += read();
      buckets[i] = before;
      counts[i] = read();
    }
    blocks.push({ buckets, counts });
  }
  return blocks;
}

function write(bytes: number[], value: number): void {
  let left = value;
  for (; left >= 128; left = Math.floor(left / 128)) {
    bytes.push(left % 128 | 128);
  }
  bytes.push(left);
}
