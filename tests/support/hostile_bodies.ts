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
