import type { IdWords } from "../../results/traces/trace_ids.ts";
import { BenchError } from "../../base/errors/bench_error.ts";
import { createTokenSource } from "../../steps/auth/token_endpoint.ts";
import type { TokenKeeper } from "../../steps/auth/tokens.ts";
import type { TokenSource } from "../../steps/auth/token_source.ts";
import type { Flow } from "../../language/ir.ts";
import type { BlockFiles } from "../../language/flow/kind.ts";
import type { RunPlan } from "../plan/plan.ts";
import type { Clock } from "../../base/time/clock.ts";
import type { HttpChoice } from "../../model/result/http_version.ts";
import type { Network } from "../../wire/net/network.ts";
import type { BaseUrl } from "../../wire/net/url.ts";
import { type CompiledStep, compileStep } from "./compiled_step.ts";
import type { Limiter } from "../limiter/limiter.ts";
import { postThrough } from "./token_post.ts";
import type { Names } from "../../language/expressions/names.ts";
import { flowCredentials } from "../../language/validate/credentials.ts";
import { registry } from "../../steps/registry.ts";
import {
  compileText,
  parseTemplate,
  quote,
} from "../../language/expressions/template.ts";
import type { TextTemplate } from "../../language/expressions/text_template.ts";

/** What one thread runs, and with what. */
export interface Job {
  readonly flow: Flow;
  readonly plan: RunPlan;
  readonly env: ReadonlyMap<string, string>;
  /** The first `base_urls` entry. */
  readonly base: BaseUrl;
  readonly network: Network;
  /** Versions of HTTP that VUs speak. */
  readonly http: HttpChoice;
  readonly clock: Clock;
  readonly userAgent: string;
  /** What ids of traces are made of, where requests say them. */
  readonly traceparent?: IdWords | undefined;
  /** Aborts when the run must end at once. */
  readonly signal: AbortSignal;
  readonly files: BlockFiles;
  readonly registerSecret: (value: string) => void;
  /** Where tokens come from. */
  readonly tokens: TokenSource;
}

/** A flow with nothing left to compile. */
export interface OpenJob {
  readonly steps: readonly CompiledStep[];
  /** Some of what is extracted is sent as a credential. */
  readonly hidesVariables: boolean;
  readonly slots: { readonly variables: number; readonly pools: number };
}

/** A step that cannot be made ready; found before the first request. */
export class StepError extends BenchError {
  override readonly name = "StepError";
  /** @param pointer JSON Pointer of the step */
  constructor(readonly pointer: string, cause: Error) {
    super(cause.message, { cause });
  }
}

/** Tokens this thread fetches, through the run's own client. */
export function fetchTokens(
  job: Omit<Job, "flow" | "env" | "files" | "http" | "tokens"> & {
    readonly limiter: Limiter;
  },
): TokenKeeper {
  return createTokenSource({
    post: postThrough(job),
    clock: job.clock,
    registerSecret: job.registerSecret,
  });
}

/**
 * Compiles every step.
 *
 * @throws {StepError} naming the step that cannot be made ready
 */
export async function openJob(job: Job): Promise<OpenJob> {
  const names = namesOf(job.flow, job.env);
  const { clock } = job;
  const tools = {
    mode: job.plan.mode,
    secrets: secretVariables(job.flow, names),
    auth: {
      names,
      clock,
      registerSecret: job.registerSecret,
      tokens: job.tokens,
    },
    open: {
      names,
      base: job.base,
      timeoutMs: job.plan.requestTimeoutMs,
      userAgent: job.userAgent,
      traceparent: job.traceparent !== undefined,
      wall: () => clock.wall(),
      files: job.files,
    },
  };
  const steps: CompiledStep[] = [];
  for (const [index, step] of job.flow.steps.entries()) {
    try {
      steps.push(await compileStep(step, index, tools));
    } catch (error) {
      throw new StepError(`/steps/${index}`, error as Error);
    }
  }
  return {
    steps,
    hidesVariables: tools.secrets.size > 0,
    slots: { variables: names.variables.size, pools: names.pools.size },
  };
}

/** Gives every variable and pool of `flow` its slot. */
function namesOf(
  flow: Flow,
  env: ReadonlyMap<string, string>,
): Names {
  const variables = new Set(
    flow.steps.flatMap((step) => Object.keys(step.extract ?? {})),
  );
  return {
    variables: numbered([...variables]),
    pools: numbered((flow.pools ?? []).map((pool) => pool.name)),
    env,
  };
}

function numbered(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.map((name, slot) => [name, slot]));
}

/**
 * The extracted variables that a flow sends as credentials: by name, the
 * templates that stand for them. Their values are secrets from the extraction
 * on, wherever in the flow that is.
 */
function secretVariables(
  flow: Flow,
  names: Names,
): ReadonlyMap<string, readonly TextTemplate[]> {
  const found = new Map<string, Map<string, TextTemplate>>();
  for (const { text } of flowCredentials(flow, registry)) {
    for (const part of parseTemplate(text)) {
      if (typeof part === "string" || !names.variables.has(part.root)) continue;
      const written = quote(part);
      const templates = found.get(part.root) ?? new Map();
      found.set(part.root, templates.set(written, compileText(written, names)));
    }
  }
  return new Map(
    [...found].map(([name, templates]) => [name, [...templates.values()]]),
  );
}
