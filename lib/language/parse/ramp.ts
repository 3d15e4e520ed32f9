import type { Profile } from "../../model/ir/flow.ts";
import type { Node } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import { readString } from "../source/scalars.ts";
import { parseDuration } from "../../base/values/duration.ts";

/** A linear change of the number of VUs. */
type Ramp = Exclude<Profile["vus"], number>;

/** Reads `"<from> -> <to> over <duration>"`. */
export function readRamp(node: Node, reader: Reader): Ramp | undefined {
  const text = readString(node, "`ramp`", reader);
  if (text === undefined) return;
  const match = /^\s*(\d+)\s*->\s*(\d+)\s+over\s+(\S+)\s*$/.exec(text);
  if (!match) {
    reader.report({
      at: node.at,
      code: "bad-ramp",
      message:
        `\`ramp\` must be "<from> -> <to> over <duration>", but it is "${text}"`,
      hint: 'for example "1 -> 50 over 30s"',
    });
    return;
  }
  const [, from, to, duration = ""] = match;
  const ramp = { from: Number(from), to: Number(to) };
  const mistake = impossible(ramp);
  if (mistake) {
    reader.report({
      at: node.at,
      code: "bad-ramp",
      message: mistake,
    });
    return;
  }
  try {
    const over_us = parseDuration(duration);
    if (over_us > 0) return { ...ramp, over_us };
    reader.report({
      at: reader.inside(node, text.lastIndexOf(duration)),
      code: "out-of-range",
      message: `a ramp takes longer than 0, but this one takes ${duration}`,
      hint: "for a constant number write `vus: <number>`",
    });
  } catch (error) {
    reader.report({
      at: reader.inside(node, text.lastIndexOf(duration)),
      code: "bad-duration",
      message: `\`ramp\`: ${(error as Error).message}`,
    });
  }
}

function impossible({ from, to }: Omit<Ramp, "over_us">): string | undefined {
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to)) {
    return "a ramp's numbers of VUs must be below 2^53";
  }
  if (Math.max(from, to) === 0) return "a ramp from 0 to 0 runs nothing";
  return undefined;
}
