import type { IdWords } from "../../results/traces/trace_ids.ts";
import { BenchError } from "../../base/errors/bench_error.ts";
import { readInput } from "../../base/text/read_input.ts";
import type { TokenSource } from "../../steps/auth/scheme.ts";
import { placedSteps, type StepList } from "../../language/flow/flow.ts";
import type { Flow, RunFlow } from "../../language/ir.ts";
import type { Contract } from "../../openapi/contract.ts";
import type { RunPlan } from "../plan/plan.ts";
import type { HttpChoice } from "../../model/result/response.ts";
import type { Network, TlsOptions } from "../../wire/net/network.ts";
import type { RouteOptions } from "../../wire/net/byte_stream.ts";
import type { Fixture } from "../data/table.ts";
import { compileValues, type ValueSource } from "../data/values.ts";
import type { BaseUrl } from "../../wire/net/url.ts";
import { type CompiledStep, compileStep } from "./compiled_step.ts";
import type { OpenContract } from "./contract.ts";
import {
  compileText,
  type Names,
  parseTemplate,
  quote,
  type TextTemplate,
} from "../../language/expressions/template.ts";
import { sentCredentials } from "../../language/validate/credentials.ts";
import { registry } from "../../steps/registry.ts";
import type { NextFlow, VuTools } from "./vu.ts";

/** The task of the workers of a run: plain data. */
export interface RunTask {
  readonly flows: readonly TaskFlow[];
  readonly plan: RunPlan;
  /** The words that the ids of the run's traces are made of. */
  readonly ids: IdWords;
  readonly env: ReadonlyMap<string, string>;
  /** The allow-list; relative URLs join the first one. */
  readonly bases: readonly [BaseUrl, ...BaseUrl[]];
  readonly tls: TlsOptions;
  /** The description that responses are held against. */
  readonly contract?: Contract;
  /** Versions of HTTP that VUs speak. */
  readonly http: HttpChoice;
  readonly route?: RouteOptions;
  /** Requests say which trace they belong to. */
  readonly traceparent?: boolean;
  /** A load run is rehearsed before it begins. */
  readonly rehearses?: boolean;
  readonly userAgent: string;
  /** By pool name, after the prefix of its flow. */
  readonly fixtures: ReadonlyMap<string, Pick<Fixture, "columns" | "cells">>;
}

/** One of the flows of a run. */
interface TaskFlow extends RunFlow {
  /** Files that blocks name are relative to it. */
  readonly directory: string;
}

/** The task of one thread, and its tools. */
export interface Job {
  readonly task: RunTask;
  readonly network: Network;
  readonly registerSecret: (value: string) => void;
  /** Where tokens come from. */
  readonly tokens: TokenSource;
}

/** The variables that `setup` extracted: every iteration begins with them. */
export interface GivenVariables {
  /** By index: those of `setup` are the first ones. Undefined where there is no value. */
  readonly values: readonly unknown[];
  /** Those of them that are sent as credentials. */
  readonly secrets: readonly string[];
}

/** The steps of a list of a flow with nothing left to compile. */
export interface OpenFlow extends NextFlow {
  readonly steps: readonly CompiledStep[];
  /** Absent without values to draw. */
  readonly drawValues?: ValueSource;
  /** The templates that send drawn values as credentials. */
  readonly drawnSecrets: readonly TextTemplate[];
}

/** The flows of a run with nothing left to compile. */
export interface OpenJob {
  readonly flows: readonly OpenFlow[];
  /** The most that a flow has. */
  readonly sizes: VuTools["sizes"];
  /** Some of what is extracted is sent as a credential. */
  readonly hidesVariables: boolean;
}

/** A step that cannot be made ready; found before the first request. */
export class StepError extends BenchError {
  override readonly name = "StepError";
  /** @param pointer JSON Pointer of the step */
  constructor(readonly pointer: string, cause: Error) {
    super(cause.message, { cause });
  }
}

/**
 * Compiles every step of a list, of each flow.
 *
 * @throws {StepError} naming the step that cannot be made ready
 */
export async function openJob(
  job: Job,
  list: StepList = "steps",
): Promise<OpenJob> {
  const { task } = job;
  const contract = await contractOf(task, list);
  const flows: OpenFlow[] = [];
  let hidesVariables = false;
  let first = 0;
  let givenFrom = 0;
  for (const [index, each] of task.flows.entries()) {
    const names = namesOf(each.flow, task.env);
    const secrets = secretVariables(each.flow, names);
    const given = variablesOf(each.flow, ["setup"]).size;
    const place = { list, index, first, given, givenFrom, names, secrets };
    flows.push(await openFlow(job, each, place, contract));
    hidesVariables ||= secrets.size > 0 || each.flow.cookies !== undefined;
    first += flows[index]!.steps.length;
    givenFrom += given;
  }
  try {
    contract?.prepare();
  } catch (error) {
    throw new StepError("", error as Error);
  }
  return { flows, sizes: largest(flows), hidesVariables };
}

function largest(flows: readonly OpenFlow[]): VuTools["sizes"] {
  return {
    variables: Math.max(...flows.map(({ sizes }) => sizes.variables)),
    pools: Math.max(...flows.map(({ sizes }) => sizes.pools)),
  };
}

/** A list of a flow among those of its run. */
interface Place {
  readonly list: StepList;
  readonly index: number;
  /** Of its first step, among those of all flows. */
  readonly first: number;
  /** How many variables it is given, and where those begin among those of all flows. */
  readonly given: number;
  readonly givenFrom: number;
  readonly names: Names;
  readonly secrets: ReturnType<typeof secretVariables>;
}

async function openFlow(
  { task, network: { clock }, registerSecret, tokens }: Job,
  each: TaskFlow,
  { list, index, first, given, givenFrom, names, secrets }: Place,
  contract: OpenContract | undefined,
): Promise<OpenFlow> {
  const { plan } = task;
  const { flow, directory } = each;
  const wall = () => clock.wall();
  const tools = {
    ...(contract && { contract: contract.step }),
    mode: plan.mode,
    secrets,
    auth: { names, clock, registerSecret, tokens },
    open: {
      names,
      base: task.bases[0],
      timeoutMs: plan.requestTimeoutMs,
      userAgent: task.userAgent,
      seed: plan.seed,
      traceparent: task.traceparent === true,
      keepsCookies: flow.cookies !== undefined,
      wall,
      files: { directory, readBytes: readInput },
    },
  };
  const steps = await compiledSteps(each, list, first, tools);
  // The library is loaded for those that need it.
  const jars = flow.cookies && await import("../../steps/cookie_jar.ts");
  return {
    index,
    steps,
    ...(jars && { cookies: () => new jars.CookieJar(wall) }),
    keepsCookies: flow.cookies === "vu",
    givenFrom,
    sizes: {
      variables: names.variables.size,
      given,
      pools: names.pools.size,
    },
    ...(flow.values && list === "steps" && {
      drawValues: compileValues(flow.values, names, {
        seed: plan.seed,
        flow: index,
        wall,
        before: plan.replays?.values,
      }),
    }),
    drawnSecrets: (flow.values ?? [])
      .flatMap(({ name }) => secrets.get(name) ?? []),
  };
}

/** The compiler of schemas is loaded for those that need it. */
async function contractOf(
  { contract, plan, bases }: RunTask,
  list: StepList,
): Promise<OpenContract | undefined> {
  if (!contract) return undefined;
  const { openContract } = await import("./contract.ts");
  return openContract(contract, plan, bases[0].path, list !== "steps");
}

async function compiledSteps(
  { flow, pointer: above }: TaskFlow,
  list: StepList,
  first: number,
  tools: Parameters<typeof compileStep>[1],
): Promise<CompiledStep[]> {
  const steps: CompiledStep[] = [];
  for (const { step, ...placed } of placedSteps(flow, [list])) {
    const pointer = above + placed.pointer;
    const index = first + placed.index;
    try {
      steps.push(await compileStep({ step, index, pointer }, tools));
    } catch (error) {
      throw new StepError(pointer, error as Error);
    }
  }
  return steps;
}

/** The variables that the steps of some lists extract, those of `setup` first. */
function variablesOf(
  flow: Flow,
  lists?: readonly StepList[],
): ReadonlySet<string> {
  return new Set(
    placedSteps(flow, lists)
      .flatMap(({ step }) => Object.keys(step.extract ?? {})),
  );
}

/** Gives every variable and pool of `flow` its index, the same for all its lists. */
function namesOf(
  flow: Flow,
  env: ReadonlyMap<string, string>,
): Names {
  return {
    variables: numbered([...variablesOf(flow)]),
    pools: numbered((flow.pools ?? []).map((pool) => pool.name)),
    values: numbered((flow.values ?? []).map((value) => value.name)),
    env,
  };
}

function numbered(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.map((name, index) => [name, index]));
}

/**
 * The extracted variables and drawn values that a flow sends as credentials: by
 * name, the templates that stand for them. Their values are secrets from the
 * extraction on, wherever in the flow that is.
 */
function secretVariables(
  flow: Flow,
  names: Names,
): ReadonlyMap<string, readonly TextTemplate[]> {
  const found = new Map<string, Map<string, TextTemplate>>();
  for (const text of sentCredentials(flow, registry)) {
    for (const part of parseTemplate(text)) {
      if (typeof part === "string") continue;
      if (!names.variables.has(part.root) && !names.values?.has(part.root)) {
        continue;
      }
      const written = quote(part);
      const templates = found.get(part.root) ?? new Map();
      found.set(part.root, templates.set(written, compileText(written, names)));
    }
  }
  return new Map(
    [...found].map(([name, templates]) => [name, [...templates.values()]]),
  );
}
