/** JSON that is nested deep, or long, as a hostile or broken target may send it. */
export const DEEP = 100_000;

export const lists = (depth: number): string =>
  "[".repeat(depth) + "]".repeat(depth);

export const objects = (depth: number, inside = "1"): string =>
  '{"a":'.repeat(depth) + inside + "}".repeat(depth);

export const longList = (length: number): string =>
  `{"a":[${"1,".repeat(length - 1)}1]}`;

/** Two members, equal or not, each as deep. */
export const twins = (depth: number): string =>
  `[{"a":${objects(depth)},"b":${objects(depth, "2")}}]`;

/** A message in a message, `depth` times: field and length, again and again. */
export function nestedMessage(depth: number, field: number): Uint8Array {
  let bytes: number[] = [];
  for (let level = 0; level < depth; level++) {
    const length: number[] = [];
    for (let rest = bytes.length;; rest >>>= 7) {
      length.push(rest > 127 ? (rest & 127) | 128 : rest);
      if (rest < 128) break;
    }
    bytes = [(field << 3) | 2, ...length, ...bytes];
  }
  return Uint8Array.from(bytes);
}
