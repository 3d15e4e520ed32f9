import { plainLetters } from "../../base/text/plain_letters.ts";
import * as v from "valibot";
import { child, type JsonObject } from "../../base/values/json.ts";
import { list } from "../fields/list.ts";
import { readEntries } from "../fields/mapping.ts";
import {
  type Fields,
  optional,
  required,
  Slot,
  type Value,
} from "../fields/field.ts";
import { name, oneOf } from "../fields/scalars.ts";
import { DEFINED, payload } from "../fields/templates.ts";
import { describe, entryOf, type Node } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import { locateAuth, readDefaultAuth } from "./auth.ts";
import { data, pools, readPools } from "./pools.ts";
import { profile } from "./profile.ts";
import type { Registry } from "./registry.ts";
import { type Step, stepSchema } from "./step_form.ts";
import { readSteps, stepsValue } from "./step.ts";
import { values } from "./values.ts";

/** The IR versions this program reads and writes; a flow has the lowest that can say it. */
export const IR_VERSIONS = [1, 2] as const;
/** The newest one. */
export const IR_VERSION = 2;
/** The versions of the flow file. */
const FILE_VERSIONS = [0, 1] as const;

/** How long VUs keep the cookies that responses set. */
const cookies = oneOf(["iteration", "vu"], {
  "true|yes|on|keep|auto|jar|all|enabled?": "did you mean `iteration`?",
  "user|session|run": "did you mean `vu`?",
  "false|no|off|none|disabled?": "leave it out: without it none are kept",
});

/** Words by which flows are chosen among others: they say nothing of how one is run. */
const tags = list(name("a tag"), {
  of: "words",
  example: "`tags: [smoke]`",
  least: { code: "no-tags", needs: "one tag" },
  repeated: "repeated-tag",
});

/** The name of a flow, or of a mix. */
export const flowName: Value<string> = name("a flow's name", nearName);

/** The IR, strictly; blocks stay sealed. */
export const flowSchema = v.strictObject({
  ir: v.picklist(IR_VERSIONS),
  flow: flowName.schema,
  steps: v.array(stepSchema),
  profile: profile.schema,
  pools: v.exactOptional(pools.schema),
  values: v.exactOptional(values.schema),
  cookies: v.exactOptional(cookies.schema),
  setup: v.exactOptional(v.array(stepSchema)),
  teardown: v.exactOptional(v.array(stepSchema)),
});
/** A flow in canonical form: meaning, not spelling. */
export type Flow = v.InferOutput<typeof flowSchema>;

/** The lists of steps of a flow, in the order they are carried out. */
export const STEP_LISTS = ["setup", "steps", "teardown"] as const;
export type StepList = (typeof STEP_LISTS)[number];
/** The lists that are carried out once a run. */
export type OnceList = Exclude<StepList, "steps">;

/** The lists whose variables the steps of each list know. */
export const KNOWN_LISTS: Readonly<Record<StepList, readonly StepList[]>> = {
  setup: ["setup"],
  steps: ["setup", "steps"],
  teardown: ["setup", "teardown"],
};

/** A step, and where in its flow it is. */
export interface PlacedStep {
  readonly step: Step;
  readonly list: StepList;
  /** Position in its list. */
  readonly index: number;
  /** JSON Pointer. */
  readonly pointer: string;
}

/** The steps of some lists of a flow; of all of them unless said. */
export function placedSteps(
  flow: Pick<Flow, StepList>,
  lists: readonly StepList[] = STEP_LISTS,
): PlacedStep[] {
  return lists.flatMap((list) =>
    (flow[list] ?? []).map((step, index) => {
      const pointer = child(`/${list}`, index);
      return { step, list, index, pointer };
    })
  );
}

/** A flow, and what the IR has on its steps alone. */
export interface ParsedFlow {
  readonly flow: Flow;
  /**
   * The flow's `auth`, which the steps that inherit it share. Its locations are
   * those of one more step after the last.
   */
  readonly defaultAuth?: JsonObject;
  /** The flow says how it is run. */
  readonly profileIsWritten?: boolean;
  readonly tags?: readonly string[];
}

/** The keys of a flow file. */
export function flowFields(registry: Registry): Fields {
  const auth = { ...payload, form: DEFINED.auth };
  const steps = stepsValue(registry);
  return {
    version: optional(
      fileVersion,
      "the version of the flow file; 1 opens what is marked as version 1, without it the file is version 0",
    ),
    flow: required(
      flowName,
      "the flow's name: a letter or `_`, then letters, digits, `_` and `-`",
    ),
    tags: optional(
      tags,
      "words to choose it by among several flows: `bench run flows/ --tags smoke`",
      { version: 1 },
    ),
    profile: optional(
      profile,
      "how the flow is run; without it once, in `integration` mode",
    ),
    auth: optional(
      auth,
      "credentials of every request-making step that has no `auth` of its own",
    ),
    data: optional(
      data,
      "the fixture whose rows are read as `{{ user.<column> }}`",
    ),
    steps: required(
      steps,
      "what is done, in order; at least one step",
    ),
    setup: optional(
      steps,
      "steps that one VU carries out once, before the first iteration; what they extract is known in every iteration",
      { version: 1, sinceIr: 2 },
    ),
    teardown: optional(
      steps,
      "steps that one VU carries out once, after the last iteration, however the run ended",
      { version: 1, sinceIr: 2 },
    ),
    pools: optional(pools, "named pools of fixture rows", { version: 1 }),
    values: optional(
      values,
      "variables that are drawn anew for each iteration, before its first step",
      { version: 1, sinceIr: 2 },
    ),
    cookies: optional(
      cookies,
      "keeps the cookies that responses set, and sends them back: for an `iteration`, or for all iterations of a `vu`; none are kept when absent",
      { version: 1, sinceIr: 2 },
    ),
  };
}

/**
 * Reads the nodes of a flow. Every error of form is reported; rules that need
 * more than one step are `validateFlow`'s.
 *
 * @returns the flow without what could not be read, so that the rules across
 *   steps still see the rest; a step whose action could not be found has the
 *   empty kind. Undefined without any steps to look at
 */
export function readFlow(
  root: Node,
  registry: Registry,
  reader: Reader,
): ParsedFlow | undefined {
  const file = new Slot(root, "", "the flow file", reader);
  if (reportOtherTool(file)) return;
  const fields = flowFields(registry);
  readVersion(file);
  const entries = readEntries(file, fields, { places: ["flow"] });
  if (!entries) return;
  const slotOf = slotsIn(file, entries);
  const flow = slotOf("flow")?.read(flowName) ?? "_";
  const words = slotOf("tags")?.read(tags);
  const auth = slotOf("auth");
  const defaultAuth = auth && readDefaultAuth(auth, registry.schemes);
  const first = slotOf("data");
  const one = first &&
    new Slot(first.node, "/pools/0", first.what, reader).read(data);
  const written = slotOf("profile")?.read({ read: profile.readBlock });
  const more = slotOf("pools");
  const all = [
    ...one ? [one] : [],
    ...more ? readPools(more, one ? 1 : 0) : [],
  ];
  const drawn = slotOf("values")?.read(values) ?? [];
  const jar = slotOf("cookies")?.read(cookies);
  const listOf = (key: StepList) => {
    const list = slotOf(key);
    return list && readSteps(list, registry, defaultAuth);
  };
  const setup = listOf("setup");
  const steps = listOf("steps");
  const teardown = listOf("teardown");
  if (!steps) return;
  if (defaultAuth) locateAuth(defaultAuth, `/steps/${steps.length}`, reader);
  return {
    flow: {
      ir: IR_VERSION,
      flow,
      steps,
      profile: { mode: "integration", vus: 1, ...written },
      ...(all.length > 0 && { pools: all }),
      ...(drawn.length > 0 && { values: drawn }),
      ...(jar && { cookies: jar }),
      ...(setup && { setup }),
      ...(teardown && { teardown }),
    },
    ...(defaultAuth && { defaultAuth: defaultAuth.block }),
    profileIsWritten: entries.get("profile") !== undefined,
    ...(words && { tags: words }),
  };
}

/** Test plans of other tools in YAML: two keys at the top that only theirs have. */
const OTHER_TOOLS = [
  { tool: "Artillery", keys: ["config", "scenarios"] },
  { tool: "Taurus", keys: ["execution", "scenarios"] },
] as const;

/** A test plan of another tool is met as such, and not with all its keys that are unknown. */
function reportOtherTool({ node, reader }: Slot): boolean {
  const has = (key: string) => entryOf(node, key) !== undefined;
  const plan = OTHER_TOOLS.find(({ keys }) => keys.every(has));
  if (!plan || has("flow") || has("steps")) return false;
  reader.report({
    at: entryOf(node, plan.keys[0])!.keyAt,
    code: "other-tool",
    message: `this is a test plan of ${plan.tool}, which is not read`,
    hint:
      "record what it sends as a HAR file, through a proxy: bench import har <file>",
  });
  return true;
}

/** The values of the keys that a flow file or a mix has; it and its profile are located. */
export function slotsIn(
  file: Slot,
  entries: NonNullable<ReturnType<typeof readEntries>>,
): (key: string) => Slot | undefined {
  for (const pointer of ["", "/profile"]) {
    file.reader.locate(pointer, file.node.at);
  }
  return (key) => {
    const node = entries.get(key)?.value;
    return node && file.below(key, node, `\`${key}\``);
  };
}

function nearName(text: string): string | undefined {
  const near = plainLetters(text.trim()).replaceAll(/[^A-Za-z0-9_-]+/g, "_")
    .replace(/^(?=[\d-])/, "_");
  return /^_*$/.test(near) ? undefined : `for example \`${near}\``;
}

/** The version that a file says it is. */
export const fileVersion: Value<0 | 1> = {
  schema: v.picklist(FILE_VERSIONS),
  form: { enum: [...FILE_VERSIONS] },
  read({ node, reader, what }) {
    const value = node.kind === "scalar" ? node.value : undefined;
    const known = FILE_VERSIONS.find((each) => each === value);
    if (known !== undefined) return known;
    const newer = typeof value === "number" && value > 1;
    reader.report({
      at: node.at,
      code: "version-key",
      message: newer
        ? `this is a flow file of version ${value}, but this bench reads versions ${
          FILE_VERSIONS.join(" and ")
        }`
        : `${what} must be ${FILE_VERSIONS.join(" or ")}, but it is ${
          describe(node)
        }`,
      hint: newer ? "it needs a newer bench" : "write `version: 1`",
    });
  },
};

/** Has to be known before any other key is read. A wrong one counts as the newest. */
export function readVersion(file: Slot): void {
  const written = entryOf(file.node, "version")?.value;
  if (!written) return;
  const read = fileVersion.read(file.below("version", written, "`version`"));
  file.reader.version = read ?? 1;
}
