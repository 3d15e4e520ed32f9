import { parseThreshold } from "../expressions/threshold.ts";
import { type Profile } from "../../model/ir/flow.ts";
import { MODES } from "../../model/ir/mode.ts";
import { readExpressions } from "../source/expressions.ts";
import {
  DURATION,
  either,
  type Form,
  listOf,
  oneWord,
  RAMP,
  RATE,
  THRESHOLD,
  wholeNumber,
} from "../source/form.ts";
import { type Fields, type KeyTable, readMapping } from "../source/mapping.ts";
import { mappingWith } from "../source/mapping_form.ts";
import type { Entry, Node } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import {
  readChoice,
  readDuration,
  readInteger,
  scalarOf,
} from "../source/scalars.ts";
import { child } from "../../base/values/pointer.ts";
import { parseRate } from "../../base/values/rate.ts";
import { readRamp } from "./ramp.ts";

/** The keys of `vus` when it is a mapping. */
const VUS_KEYS = {
  ramp: { required: true, doc: '"<from> -> <to> over <duration>"', form: RAMP },
  hold: { doc: "how long the last level is held", form: DURATION },
} as const satisfies KeyTable;

/** The keys of `profile`. */
export const PROFILE_KEYS = {
  mode: { doc: MODES.join(", "), form: oneWord(MODES) },
  vus: {
    doc: "virtual users: a number, or a mapping with `ramp`",
    form: either(wholeNumber(1), mappingWith(VUS_KEYS)),
  },
  hold: { doc: "how long the load is held", form: DURATION },
  iterations: { doc: "passes of the flow in all", form: wholeNumber(1) },
  arrival_cap: { doc: "offered request rate, such as 50/s", form: RATE },
  thresholds: {
    doc: "rules the run is judged by",
    form: listOf(THRESHOLD),
  },
} as const satisfies KeyTable;

/** `profile` to an editor. */
export const PROFILE_FORM: Form = mappingWith(PROFILE_KEYS, {
  // `hold` stands in one place.
  not: {
    required: ["hold", "vus"],
    properties: { vus: { type: "object", required: ["hold"] } },
  },
});

type ProfileFields = Fields<keyof typeof PROFILE_KEYS>;

const AT = "/profile";

/**
 * Reads `profile`, defaults filled in. A profile with a mistake gives
 * undefined, so that rules about its whole are not checked on a part of it.
 */
export function readProfile(node: Node, reader: Reader): Profile | undefined {
  const mistakes = reader.diagnostics.count;
  const fields = readMapping(node, PROFILE_KEYS, "`profile`", reader);
  if (!fields) return;
  const mode = fields.get("mode");
  if (mode) reader.place(child(AT, "mode"), mode.value.at);
  const word = mode && readChoice(mode.value, "`mode`", MODES, reader);
  const { hold_us, ...vus } = readVus(fields, reader);
  const hold = fields.get("hold");
  const iterations = fields.get("iterations");
  if (hold) reader.place(child(AT, "hold_us"), hold.value.at);
  if (iterations) reader.place(child(AT, "iterations"), iterations.value.at);
  const ownHold = hold && readDuration(hold.value, "`hold`", reader);
  const count = iterations &&
    readInteger(iterations.value, "`iterations`", 1, reader);
  const arrival = readArrival(fields, reader);
  const thresholds = readThresholds(fields, reader);
  const held = hold_us ?? ownHold;
  if (reader.diagnostics.count > mistakes) return;
  return {
    mode: word ?? "integration",
    ...vus,
    ...(held !== undefined && { hold_us: held }),
    ...(count !== undefined && { iterations: count }),
    ...(arrival && { arrival }),
    ...(thresholds.length > 0 && { thresholds }),
  };
}

function readVus(
  fields: ProfileFields,
  reader: Reader,
): Pick<Profile, "vus" | "hold_us"> {
  const entry = fields.get("vus");
  if (!entry) return { vus: 1 };
  const { value: node } = entry;
  reader.place(child(AT, "vus"), node.at);
  if (node.kind === "scalar") {
    return { vus: readInteger(node, "`vus`", 1, reader) ?? 1 };
  }
  const parts = readMapping(node, VUS_KEYS, "`vus`", reader);
  const ramp = parts?.get("ramp");
  const vus = ramp && readRamp(ramp.value, reader);
  const inner = parts?.get("hold");
  const outer = fields.get("hold");
  if (inner && outer) {
    const [first, second] = lineOf(inner) <= lineOf(outer)
      ? ["inside `vus`", outer]
      : ["in `profile`", inner];
    reader.report({
      at: second.keyAt,
      code: "hold-twice",
      message: `\`hold\` is set twice: it already stands ${first}`,
      hint: "keep one of them",
    });
  }
  if (inner && !outer) reader.place(child(AT, "hold_us"), inner.value.at);
  const hold_us = inner && readDuration(inner.value, "`hold`", reader);
  return { vus: vus ?? 1, ...(hold_us !== undefined && { hold_us }) };
}

function lineOf({ keyAt }: Entry): number {
  return keyAt.range?.line ?? 0;
}

function readArrival(
  fields: ProfileFields,
  reader: Reader,
): Profile["arrival"] {
  const entry = fields.get("arrival_cap");
  if (!entry) return;
  reader.place(child(AT, "arrival"), entry.value.at);
  const wanted = "`arrival_cap` must be a rate, such as 50/s";
  const scalar = scalarOf(entry.value, wanted, reader);
  if (!scalar) return;
  try {
    const { count, per_us } = parseRate(scalar.text);
    return { count, per_us };
  } catch (error) {
    reader.report({
      at: scalar.at,
      code: "bad-rate",
      message: `\`arrival_cap\`: ${(error as Error).message}`,
      hint: /^[1-9]\d*$/.test(scalar.text)
        ? `did you mean ${scalar.text}/s?`
        : undefined,
    });
  }
}

function readThresholds(
  fields: ProfileFields,
  reader: Reader,
): NonNullable<Profile["thresholds"]> {
  const entry = fields.get("thresholds");
  if (!entry) return [];
  const pointer = child(AT, "thresholds");
  reader.place(pointer, entry.value.at);
  const form = {
    noun: "a threshold",
    example: "error_rate < 1%",
    parse: parseThreshold,
  };
  return readExpressions(entry.value, "`thresholds`", form, reader).map(
    ({ parsed, node }, index) => {
      reader.place(child(pointer, index), node.at);
      return parsed;
    },
  );
}
