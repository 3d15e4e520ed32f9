import * as v from "valibot";
import type { Diagnostic } from "../../base/text/diagnostic.ts";
import { sum } from "../../base/values/sum.ts";
import {
  type Fields,
  optional,
  required,
  Slot,
  type Value,
} from "../fields/field.ts";
import { list } from "../fields/list.ts";
import { mapping, readEntries, versionHint } from "../fields/mapping.ts";
import { filePath, filled, integer, plain, string } from "../fields/scalars.ts";
import { entryOf, type Node } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import {
  fileVersion,
  type Flow,
  flowName,
  flowSchema,
  IR_VERSION,
  readVersion,
  slotsIn,
  type StepList,
} from "./flow.ts";
import { type Profile, profile } from "./profile.ts";

/** The share of a flow among the iterations, beside the weights of the others. */
const weight = integer({ min: 1, max: 1_000 });

/** A flow of a mix in the IR: its profile and its IR version are those of the mix. */
const flowOfMix = v.strictObject({
  weight: weight.schema,
  /** Its paths are relative to it, and it to the folder of the mix; absent where they are the same. */
  directory: v.exactOptional(v.string()),
  flow: v.omit(flowSchema, ["ir", "profile"]),
});
type FlowOfMix = v.InferOutput<typeof flowOfMix>;

const mixName: Value<string> = flowName;

/** The IR of several flows in one run, strictly; blocks stay sealed. */
export const mixSchema = v.strictObject({
  ir: v.literal(IR_VERSION),
  mix: mixName.schema,
  flows: v.pipe(v.array(flowOfMix), v.minLength(1)),
  profile: profile.schema,
});
/** Several flows in one run, in canonical form. */
export type Mix = v.InferOutput<typeof mixSchema>;

/** A flow of a mix as it is written: the path of its file, or what a program says in place of one. */
interface WrittenFlow {
  readonly weight: number;
  readonly flow: string | Slot;
  readonly directory?: string;
}

/** A mix, with its flows still to be read. */
export interface ParsedMix {
  readonly mix: string;
  readonly profile: Profile;
  readonly flows: readonly (WrittenFlow | FlowOfMix)[];
}

/** Steps of a mix in all: what a run stores of more is too large to be read. */
const MOST_STEPS = 5_000;

/** Why a mix of these flows has too many steps; undefined for one that has not. */
export function excessSteps(
  flows: readonly Pick<Flow, "steps">[],
): Omit<Diagnostic, "at"> | undefined {
  const count = sum(flows, ({ steps }) => steps.length);
  return count <= MOST_STEPS ? undefined : {
    code: "too-many-steps",
    message:
      `the flows of a mix have at most ${MOST_STEPS} steps together, but these have ${count}`,
    hint: "make several mixes of it",
  };
}

const path = filled(
  filePath(plain({ why: "the flow is read before the run" })),
);

/** The path of a file; a program puts the flow itself there. */
const file: Value<string | Slot> = {
  schema: v.never(),
  form: path.form,
  read: (slot) =>
    slot.reader.surface === "sdk" && slot.node.kind === "map"
      ? slot
      : path.read(slot),
};

const KEYS = {
  flow: required(file, "the file of a flow, from the folder of this one"),
  weight: required(
    weight,
    "how many iterations are its own, as a share of the sum of all weights",
  ),
};
const entry = mapping(KEYS);
/** A program says in which folder a flow was written that it put there. */
const ofProgram = mapping({
  ...KEYS,
  directory: optional(filePath(string), "the folder of its paths"),
});

/** One whose weight is wrong is read all the same: its file may have errors, too. */
const written: Value<WrittenFlow> = {
  schema: v.never(),
  form: entry.form,
  inside: { fields: entry.fields },
  read(slot) {
    const { readBlock } = slot.reader.surface === "sdk" ? ofProgram : entry;
    const { flow, weight = 1, directory } =
      slot.read<Partial<WrittenFlow> | undefined>({ read: readBlock }) ?? {};
    return flow === undefined
      ? undefined
      : { flow, weight, ...(directory !== undefined && { directory }) };
  },
};

const flows = list(written, {
  of: "flows",
  item: "flow",
  example: "[{ flow: browse.bench.yaml, weight: 70 }]",
  least: { code: "no-flows", needs: "one flow" },
});

/** The keys of a file with several flows. */
export const mixFields: Fields = {
  version: required(fileVersion, "the version of the file; a mix needs 1"),
  mix: required(
    mixName,
    "the mix's name: a letter or `_`, then letters, digits, `_` and `-`",
  ),
  flows: required(flows, "the flows, each with its weight; at least one"),
  profile: optional(
    profile,
    "how they are run; without it each once, in `integration` mode. The profiles of the flows have no effect",
  ),
};

/** Whether a file is a mix, by its keys. */
export function isMix(root: Node): boolean {
  const has = (key: string) => entryOf(root, key) !== undefined;
  return has("mix") || has("flows") && !has("steps") && !has("flow");
}

/** Keys of a flow that no mix has. */
const OF_FLOWS: ReadonlySet<string> = new Set([
  ...[
    "setup",
    "steps",
    "teardown",
    "auth",
    "data",
    "pools",
    "values",
    "cookies",
  ],
]);

/** Reads the nodes of a mix; its flows are read by those who can read files. */
export function readMix(root: Node, reader: Reader): ParsedMix | undefined {
  const slot = new Slot(root, "", "the mix", reader);
  const called = entryOf(root, "mix");
  readVersion(slot);
  if (reader.version < 1) {
    slot.report({
      at: called?.keyAt ?? root.at,
      code: "later-version",
      message: "a file without `version: 1` is no mix",
      hint: versionHint("`mix`"),
    });
    reader.version = 1;
  }
  // That it is one of version 1 was said above where it is not.
  const { version } = mixFields;
  const fields = { ...mixFields, version: { ...version!, required: false } };
  const entries = readEntries(slot, fields, {
    places: ["flow"],
    foreign: ({ key, keyAt }) => {
      if (!OF_FLOWS.has(key)) return false;
      slot.report({
        at: keyAt,
        code: "unknown-key",
        message: `unknown key \`${key}\` in the mix`,
        hint: `each of its flows has \`${key}\` of its own`,
      });
      return true;
    },
  });
  if (!entries) return;
  const slotOf = slotsIn(slot, entries);
  const mix = slotOf("mix")?.read(mixName) ?? "_";
  const said = slotOf("profile")?.read({ read: profile.readBlock });
  return {
    mix,
    profile: { mode: "integration", vus: 1, ...said },
    flows: slotOf("flows")?.read(flows) ?? [],
  };
}

/** One of the flows of a run. A flow that runs by itself is the only one of its run. */
export interface RunFlow {
  /** Its steps have the names of the run: `browse/search` in a mix. */
  readonly flow: Flow;
  readonly weight: number;
  /** JSON Pointer of the flow in the IR of the run. */
  readonly pointer: string;
  /** Before the names of its steps and pools; empty without a mix. */
  readonly prefix: string;
  /** Paths in it are relative to it, and it to that of the run; absent where they are the same. */
  readonly directory?: string;
}

/** The flows of a run, from its IR. */
export function flowsOf(ir: Flow | Mix): RunFlow[] {
  if (!("mix" in ir)) {
    return [{ flow: ir, weight: 1, pointer: "", prefix: "" }];
  }
  const { profile, flows } = ir;
  return flows.map(({ flow, ...rest }, index) => {
    const prefix = `${flow.flow}/`;
    const { setup, steps, teardown } = flow;
    const called = (steps: Flow["steps"]) =>
      steps.map((each) => ({ ...each, id: prefix + each.id }));
    return {
      ...rest,
      flow: {
        ...{ ir: IR_VERSION, ...flow, profile },
        ...(setup && { setup: called(setup) }),
        steps: called(steps),
        ...(teardown && { teardown: called(teardown) }),
      },
      pointer: `/flows/${index}/flow`,
      prefix,
    };
  });
}

/** The flows of a run as one, with all their steps: what reports call a run's flow. */
export function joinedFlow(ir: Flow | Mix): Flow {
  if (!("mix" in ir)) return ir;
  const { mix, profile } = ir;
  const flows = flowsOf(ir).map((each) => each.flow);
  const listOf = (list: StepList) => flows.flatMap((each) => each[list] ?? []);
  const [setup, teardown] = [listOf("setup"), listOf("teardown")];
  return {
    ir: IR_VERSION,
    flow: mix,
    ...(setup.length > 0 && { setup }),
    steps: listOf("steps"),
    ...(teardown.length > 0 && { teardown }),
    profile,
  };
}
