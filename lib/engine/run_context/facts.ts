import { isAbsolute, join } from "../../base/values/paths.ts";
import { formatExtraction } from "../../language/flow/extract.ts";
import { randomIdWords } from "../../results/traces/trace_ids.ts";
import { isFunctional } from "../../model/mode.ts";
import {
  CONTRACT_SAMPLE,
  type ContractFacts,
} from "../../model/result/contract.ts";
import type { Contract } from "../../openapi/contract.ts";
import type { RunTask } from "../vu/job.ts";
import type { Locate } from "../../results/report/counted.ts";
import { placedSteps } from "../../language/flow/flow.ts";
import { ONCE } from "../../model/result/trace.ts";
import { locationOf } from "../../base/text/location.ts";
import {
  formatAssertion,
  formatSubject,
} from "../../language/expressions/assertion.ts";
import type { Flow, RunFlow } from "../../language/ir.ts";
import { flowParts } from "../../language/validate/parts.ts";
import { Secrets } from "../../results/redact/secrets.ts";
import { registry } from "../../steps/registry.ts";
import type { PreparedRun } from "../preflight/prepared_run.ts";
import { makePlan, rehearsalMs, type RunPlan } from "../plan/plan.ts";
import { Rota } from "../plan/turns.ts";
import type { RunFacts } from "../../results/report/summary.ts";
import { makeRunId } from "../../results/store/layout.ts";
import { VERSION } from "../../base/values/build.ts";
import { sha256 } from "../../base/values/sha256.ts";
import type { RunOptions, RunPart } from "./run_context.ts";

/** The plan of a prepared run. */
export function planOf(
  prepared: PreparedRun,
  { seed, row, replays, arrivals, part, side }:
    & Pick<
      RunOptions,
      "seed" | "row" | "replays" | "arrivals" | "side"
    >
    & { readonly part?: Pick<RunPart, "shard"> },
): RunPlan {
  const flows = prepared.flows.map((each) => ({
    ...each,
    rows: rowsOf(prepared, each),
  }));
  const [first] = flows;
  return makePlan(prepared.flow, prepared.target, {
    seed,
    ...(first!.prefix === ""
      ? first!.rows !== undefined && { rows: first!.rows }
      : { mix: flows.map((each) => ({ ...each, rows: each.rows ?? 1 })) }),
    ...(row !== undefined && { row }),
    ...(replays && { replays }),
    ...(arrivals && { arrivals }),
    ...(part && { shard: part.shard }),
    ...(side !== undefined && { side }),
  });
}

/** How many rows the first fixture of a flow has, where there is one. */
function rowsOf(
  { fixtures }: Pick<PreparedRun, "fixtures">,
  { flow, prefix }: RunFlow,
): number | undefined {
  const name = flow.pools?.[0]?.name;
  return name === undefined ? undefined : fixtures.get(prefix + name)?.size;
}

/** The facts of a run that are known before it starts. */
export async function factsOf(
  prepared: PreparedRun,
  plan: RunPlan,
  options: RunOptions,
): Promise<RunFacts> {
  const { flow, canonical, targetPath } = prepared;
  const { clock, chance } = options;
  const driven = { ...loadOf(prepared, plan), ...drivenBy(plan, options) };
  const wall = clock.wall();
  const thresholds = thresholdsOf(prepared, plan);
  return {
    id: makeRunId(flow.flow, wall, chance),
    flow: flow.flow,
    flowFile: prepared.file,
    ...(prepared.tags.length > 0 && { tags: prepared.tags }),
    irSha256: await sha256(canonical),
    target: prepared.target.name,
    ...(targetPath !== undefined && { targetFile: targetPath }),
    mode: plan.mode,
    seed: plan.seed,
    vus: plan.peakVus,
    benchVersion: VERSION,
    startedAt: wall + (plan.warmUpMs ?? 0),
    steps: flow.steps,
    ...(thresholds && { thresholds }),
    ...(Object.keys(driven).length > 0 && { options: driven }),
    ...(options.contract &&
      { contract: contractFacts(options.contract, plan, flow) }),
  };
}

function contractFacts(
  { file, mode, operations }: Contract,
  plan: RunPlan,
  flow: Flow,
): ContractFacts {
  return {
    description: file,
    contract: mode,
    sampled: isFunctional(plan.mode) ? 1 : CONTRACT_SAMPLE,
    operations: operations.map(({ name }) => name),
    once: placedSteps(flow, ONCE).map(({ step, list }) =>
      `${step.id} (${list})`
    ),
  };
}

/** The thresholds that the run can hold: an iteration of a mix that is carried out once more is of one flow. */
function thresholdsOf(
  { flow: { profile: { thresholds } }, flows }: PreparedRun,
  { replays, turns }: RunPlan,
): RunFacts["thresholds"] {
  if (!replays || !turns) return thresholds;
  const { flow, prefix } = flows[new Rota(turns).flowOf(replays.iteration)]!;
  return thresholds?.filter(({ step }) =>
    step === undefined || step === flow.flow || step.startsWith(prefix)
  );
}

/** The options of the load; of a check without those that only a load test goes by. */
function loadOf(
  { loadOptions }: PreparedRun,
  { executor }: RunPlan,
): PreparedRun["loadOptions"] {
  const { vus } = loadOptions;
  if (executor !== "rows") return loadOptions;
  return vus === undefined ? {} : { vus };
}

/**
 * The options that changed how the run was driven, by the names of their flags.
 * Where connections went, and that nothing was verified, its notes say.
 */
function drivenBy(
  plan: RunPlan,
  { http, workers, traceparent, row, tls, rehearsal, listeners = [] }:
    RunOptions,
): RunFacts["options"] & object {
  const { executor, arrivals } = plan;
  const isLoad = executor !== "rows";
  const isUnrehearsed = rehearsal === false && rehearsalMs(plan) > 0;
  return {
    ...(http !== "auto" && { http }),
    ...(isLoad && workers !== undefined && { workers }),
    ...isLoad && Object.assign({}, ...listeners.map((each) => each.option)),
    ...(arrivals && { arrivals }),
    ...(isUnrehearsed && { no_rehearsal: true }),
    ...(traceparent && { traceparent: true }),
    ...(row !== undefined && { row }),
    ...(tls.caCerts.length > 0 && { cacert: true }),
    ...(tls.cert !== undefined && { cert: true }),
  };
}

/** The values that must not be stored of a run. */
export function secretsOf(
  prepared: PreparedRun,
  { agentToken, route }: Pick<RunOptions, "agentToken" | "route">,
): Secrets {
  const secrets = new Secrets();
  for (const value of prepared.secrets) secrets.register(value);
  if (agentToken) secrets.register(agentToken);
  for (const value of route?.proxy?.secrets ?? []) secrets.register(value);
  secrets.keep(quotedOf(prepared.flow));
  return secrets;
}

/** The parts of a flow that messages quote. */
function quotedOf(flow: Flow): string[] {
  const { thresholds = [] } = flow.profile;
  return [
    ...thresholds.flatMap(({ step }) => step === undefined ? [] : `${step}: `),
    ...flowParts(flow, registry).flatMap(({ step, parts }) => {
      const until = parts.of("assertion").map(({ value }) => value);
      return [
        `\`${step.id}\``,
        `${step.id}: `,
        ...Object.values(step.extract ?? {}).map(formatExtraction),
        ...[...step.assert ?? [], ...until].flatMap((each) => [
          formatAssertion(each),
          formatSubject(each.subject),
        ]),
      ];
    }),
  ];
}

/** Run-time failures point into the flow file. */
export function locator(
  { locations }: Pick<PreparedRun, "locations">,
): Locate {
  return (pointer: string) => {
    const at = locationOf(locations, pointer);
    if (!at?.range) return;
    const { file, range: { line, column } } = at;
    return { file, line, column };
  };
}

function folderIn(directory: string, path = "."): string {
  return isAbsolute(path) ? path : join(directory, path);
}

/** The task of the workers. */
export function taskOf(
  prepared: PreparedRun,
  plan: RunPlan,
  options: RunOptions,
): RunTask {
  return {
    flows: prepared.flows.map((each) => ({
      ...each,
      directory: folderIn(prepared.directory, each.directory),
    })),
    plan,
    ids: randomIdWords(options.chance),
    env: prepared.env,
    bases: prepared.bases,
    tls: options.tls,
    http: options.http,
    ...(options.route && { route: options.route }),
    ...(options.contract && { contract: options.contract }),
    ...(options.traceparent && { traceparent: true }),
    ...(options.rehearsal && { rehearses: true }),
    userAgent: `bench/${VERSION}`,
    // What a thread can be sent.
    fixtures: new Map(
      prepared.fixtures.entries().map(([pool, { columns, cells }]) => [
        pool,
        { columns, cells },
      ]),
    ),
  };
}
