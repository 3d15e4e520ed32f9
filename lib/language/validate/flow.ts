import * as v from "valibot";
import type { Report } from "../../base/text/diagnostic.ts";
import { didYouMean } from "../../base/text/suggest.ts";
import { formatDuration } from "../../base/values/duration.ts";
import type { JsonObject } from "../../base/values/json.ts";
import { describeIssues } from "../fields/issues.ts";
import { misplaced } from "../flow/action.ts";
import {
  type PlacedStep,
  placedSteps,
  STEP_LISTS,
  type StepList,
} from "../flow/flow.ts";
import {
  type AuthScheme,
  type Kinds,
  type Registry,
  schemeMapping,
  type Schemes,
  STEP_KEYS,
} from "../flow/registry.ts";
import type { Flow, Step } from "../ir.ts";
import { LONGEST_BACKOFF_US } from "../../model/outcome.ts";
import { checkAssertions, checkExtractions } from "./assertions.ts";
import { checkAuthClash, checkCredentials, checkHeaders } from "./auth.ts";
import { checkLiteralCredentials } from "./credentials.ts";
import {
  type CheckedStep,
  type IsSound,
  type KnownNames,
  knownNames,
  laterParts,
  type Notes,
  stepParts,
} from "./parts.ts";
import { checkProfile, stepNames } from "./profile.ts";
import { checkReferences, checkValues } from "./references.ts";
import { checkPlaceholders, checkUserinfo } from "./urls.ts";

/**
 * Checks that a step's block and keys fit its kind. The empty kind stands for
 * an action that was reported already.
 *
 * @returns whether the block may be opened
 */
function checkBlock(
  step: Step,
  pointer: string,
  kinds: Kinds,
  isSound: IsSound,
  report: Report,
): boolean {
  if (step.kind === "") return false;
  const kind = kinds.get(step.kind);
  if (!kind) {
    const all = [...kinds.keys()];
    report({
      at: `${pointer}/kind`,
      code: "unknown-kind",
      message: `unknown kind \`${step.kind}\``,
      hint: didYouMean(step.kind, all) ?? `one of: ${all.join(", ")}`,
    });
    return false;
  }
  for (const key of STEP_KEYS) {
    const ir = key === "timeout" ? "timeout_us" : key;
    if (step[ir] === undefined || kind.keys.includes(key)) continue;
    const said = misplaced(key, kind, `step \`${step.id}\``);
    report({ hint: `remove \`${key}\``, ...said, at: `${pointer}/${ir}` });
  }
  checkDelay(step, pointer, report);
  return opens(
    step.block,
    kind.block.schema,
    `${pointer}/block`,
    isSound,
    report,
  );
}

/** The part of any `auth` that says which scheme it is of. */
const NAMED = v.looseObject({ scheme: v.string() });

/** Warns of a wait between attempts that is cut short. */
function checkDelay({ retry }: Step, pointer: string, report: Report): void {
  // One with an error in it has none.
  if (!retry || !(retry.base_delay_us > LONGEST_BACKOFF_US)) return;
  report({
    at: `${pointer}/retry/base_delay_us`,
    severity: "warning",
    code: "long-backoff",
    message: `\`base_delay\` is ${
      formatDuration(retry.base_delay_us)
    }, but no single wait between attempts is longer than ${
      formatDuration(LONGEST_BACKOFF_US)
    }`,
    hint: `write ${formatDuration(LONGEST_BACKOFF_US)} at the most`,
  });
}

/** The scheme of a step's auth, when the block may be opened. */
function checkAuthBlock(
  { auth }: Step,
  pointer: string,
  schemes: Schemes,
  isSound: IsSound,
  report: Report,
): AuthScheme | undefined {
  if (!auth || !opens(auth, NAMED, `${pointer}/auth`, isSound, report)) return;
  const name = String(auth.scheme);
  const scheme = schemes.get(name);
  if (!scheme) {
    report({
      at: `${pointer}/auth/scheme`,
      code: "unknown-value",
      message: `unknown auth scheme \`${name}\``,
      hint: `one of: ${[...schemes.keys()].join(", ")}`,
    });
    return;
  }
  const { schema } = schemeMapping(scheme, schemes);
  return opens(auth, schema, `${pointer}/auth`, isSound, report)
    ? scheme
    : undefined;
}

/** Whether a block fits its schema; one with errors in its file was reported already. */
function opens(
  value: unknown,
  schema: v.GenericSchema,
  pointer: string,
  isSound: IsSound,
  report: Report,
): boolean {
  if (!isSound(pointer)) return true;
  const { issues, success } = v.safeParse(schema, value);
  for (const each of describeIssues(issues ?? [])) {
    report({ ...each, at: pointer + each.at });
  }
  return success;
}

const NO_NOTES: Notes = { bareNames: new Map(), leftTemplates: new Map() };

/** The parts of a flow file that its IR does not have. */
interface Written {
  /** Shared by the steps that inherit it, and checked once. */
  readonly defaultAuth?: JsonObject;
  readonly notes?: Notes;
  /** See `Reader.isSound`. */
  readonly isSound?: IsSound;
  /** A flow of a mix, whose profile is checked with that. */
  readonly inMix?: boolean;
}

/**
 * Checks the rules that need more than one part of a flow, whichever surface
 * it was written on. Nothing is sent and nothing is read; hosts, environment
 * and fixtures are checked by those who know them.
 *
 * @returns the flow as far as it may be opened, with the default auth as one
 *   more step: what checks it further finds the errors that do not follow from
 *   those found here
 */
export function validateFlow(
  flow: Flow,
  registry: Registry,
  report: Report,
  { defaultAuth, notes = NO_NOTES, isSound = () => true, inMix }: Written = {},
): Flow {
  checkIds(flow, report);
  checkPools(flow, report);
  const { kinds, schemes } = registry;
  if (!inMix) {
    const names = stepNames(flow, kinds);
    checkProfile(flow.profile, names, isSound, report);
  }
  const all = withDefaultAuth(flow, defaultAuth);
  const namesOf = Object.fromEntries(
    STEP_LISTS.map((list) => [list, knownNames(flow, list, isSound)]),
  ) as Record<StepList, KnownNames>;
  checkValues(flow, namesOf.steps, report);
  checkLiteralCredentials(flow, report);
  const opened: Record<StepList, Step[]> = {
    setup: [],
    steps: [],
    teardown: [],
  };
  for (const { step, list, index: position, pointer } of placedSteps(all)) {
    const inherits = step.auth === defaultAuth && step.id !== "";
    const names = namesOf[list];
    const setUp = list === "setup" ? 0 : namesOf.setup.steps.length;
    const index = setUp + position;
    const kind = kinds.get(step.kind);
    const opens = checkBlock(step, pointer, kinds, isSound, report);
    const scheme = checkAuthBlock(step, pointer, schemes, isSound, report);
    // What does not fit its form is not opened.
    const { auth, ...bare } = step;
    opened[list].push({
      ...(opens ? bare : { ...bare, kind: "", block: {} }),
      ...(auth && scheme && { auth }),
    });
    const parts = stepParts(step, pointer, opens ? kind : undefined, scheme);
    const hasWholeAuth = isSound(`${pointer}/auth`);
    const about = { step, pointer, kind, scheme, hasWholeAuth, parts, report };
    const among = { index, names, inherits, ...notes };
    const checked: CheckedStep = { ...about, ...among };
    checkExtractions(checked);
    if (scheme && !inherits) checkCredentials(checked);
    checkAuthClash(checked);
    // Of a step whose action could not be read, the rest is checked all the same.
    if (!opens && step.kind !== "") continue;
    checkHeaders(parts, report);
    checkLiteralCredentials(parts, report);
    checkUserinfo(parts, report);
    checkPlaceholders(checked);
    checkReferences(checked);
    checkAssertions(checked);
  }
  const whole = withSteps(all, opened);
  checkKinds(whole, kinds, isSound, report);
  return whole;
}

/** The flow with other steps; a list that it does not have stays away. */
function withSteps(flow: Flow, steps: Record<StepList, Step[]>): Flow {
  const lists = STEP_LISTS.filter((list) => flow[list]);
  return {
    ...flow,
    ...Object.fromEntries(lists.map((list) => [list, steps[list]])),
  };
}

/**
 * The flow with its default auth on one more step, which has nothing else:
 * whatever checks steps checks the default, too, whether a step inherits it or
 * not. Only checks may see that step; it has no kind and no id.
 */
function withDefaultAuth(
  flow: Flow,
  auth: JsonObject | undefined,
): Flow {
  if (!auth) return flow;
  const step: Step = {
    id: "",
    kind: "",
    block: {},
    auth,
    on_failure: "record",
  };
  return { ...flow, steps: [...flow.steps, step] };
}

/**
 * A flow with the lowest `ir` that can say it.
 *
 * @param report takes what a later one is needed for, where a program said a lower one
 */
export function withLowestIr(
  flow: Flow,
  registry: Registry,
  report: Report,
): Flow {
  const needs = [...laterParts(flow, registry)];
  const ir = Math.max(1, ...needs.map((each) => each.ir)) as Flow["ir"];
  for (const { pointer, ir: needed } of needs) {
    if (needed <= flow.ir) continue;
    report({
      at: pointer,
      code: "ir-version",
      message: `this needs IR ${needed}, but \`ir\` is ${flow.ir}`,
      hint: `write \`"ir": ${needed}\``,
    });
  }
  return { ...flow, ir };
}

/**
 * A valid flow with its blocks in their one spelling, as their schemas give it:
 * IR that another program wrote may have another one.
 */
export function normalized(flow: Flow, { kinds }: Registry): Flow {
  const lists = STEP_LISTS.map((list) => {
    const steps = (flow[list] ?? []).map((step) => {
      const schema = kinds.get(step.kind)?.block.schema;
      return schema ? { ...step, block: v.parse(schema, step.block) } : step;
    });
    return [list, steps];
  });
  return withSteps(flow, Object.fromEntries(lists));
}

/** Rules across the steps of each list of one kind, such as who opens a session. */
function checkKinds(
  flow: Flow,
  kinds: Kinds,
  isSound: IsSound,
  report: Report,
): void {
  for (const list of STEP_LISTS) {
    for (const { kind, checkFlow } of kinds.values()) {
      const steps = placedSteps(flow, [list])
        .filter(({ step }) => step.kind === kind)
        .map(({ step, pointer }) => ({
          step,
          block: step.block,
          pointer,
          isSound: (key: string) => isSound(`${pointer}/block/${key}`),
        }));
      if (steps.length > 0) checkFlow?.(steps, report);
    }
  }
}

function checkIds(flow: Flow, report: Report): void {
  const first = new Map<string, PlacedStep>();
  for (const placed of placedSteps(flow)) {
    const { step: { id }, list, pointer } = placed;
    const twin = first.get(id);
    if (twin === undefined) first.set(id, placed);
    else {
      report({
        at: `${pointer}/id`,
        code: "duplicate-id",
        message: `the id \`${id}\` is taken by step ${twin.index + 1}${
          twin.list === list ? "" : ` of \`${twin.list}\``
        }`,
        hint: "give every step an id of its own",
      });
    }
  }
  for (const list of STEP_LISTS) {
    if (flow[list]?.length !== 0) continue;
    report({
      at: `/${list}`,
      code: "no-steps",
      message: list === "steps"
        ? "a flow needs at least one step"
        : `\`${list}\` needs at least one step`,
      hint: list === "steps" ? undefined : `or leave \`${list}\` out`,
    });
  }
}

function checkPools(flow: Flow, report: Report): void {
  const seen = new Set(["env"]);
  for (const [index, { name }] of (flow.pools ?? []).entries()) {
    // One without a name, and one whose name cannot be read, was reported.
    if (name !== undefined && name !== "_" && seen.has(name)) {
      report({
        at: `/pools/${index}/name`,
        code: "duplicate-pool",
        message: name === "env"
          ? "a pool cannot be called `env`: {{ env.* }} is the environment"
          : `the pool \`${name}\` is defined twice`,
      });
    }
    seen.add(name);
  }
}
