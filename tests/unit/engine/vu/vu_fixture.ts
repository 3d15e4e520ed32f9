import type { Outcome } from "../../../../lib/model/outcome.ts";
import type { CompiledStep } from "../../../../lib/engine/vu/compiled_step.ts";
import {
  type Limiter,
  UNLIMITED,
} from "../../../../lib/engine/limiter/limiter.ts";
import type { IterationInput } from "../../../../lib/engine/vu/iteration.ts";
import type { LoadRun } from "../../../../lib/engine/schedule/load_run.ts";
import { StepRun } from "../../../../lib/engine/vu/step.ts";
import type { OpenFlow } from "../../../../lib/engine/vu/job.ts";
import { Stop } from "../../../../lib/engine/vu/stop.ts";
import { VirtualUser, type VuTools } from "../../../../lib/engine/vu/vu.ts";
import type { RunPlan } from "../../../../lib/engine/plan/plan.ts";
import { WHOLE } from "../../../../lib/engine/plan/shard.ts";
import { promised } from "../../../../lib/steps/protocol.ts";
import type {
  IterationResult,
  StepResult,
} from "../../../../lib/model/result/iteration.ts";
import type { StepResponse } from "../../../../lib/model/result/response.ts";
import { AllowList } from "../../../../lib/wire/net/url.ts";
import { HttpConnections } from "../../../../lib/wire/http/connections.ts";
import { Network } from "../../../../lib/wire/net/network.ts";
import { ManualClock } from "../../../support/manual_clock.ts";

/** One latency sample as the sink heard it. */
export interface Sample {
  readonly outcome: Outcome;
  readonly at: number;
  readonly service: number;
  readonly response: number;
}

/** What a response of a made-up step is like. */
export interface Script {
  /** Statuses in the order they come; the last one stays. 0 is refused, -1 timed out. */
  readonly statuses?: readonly number[];
  /** How long a response takes, by the number of the attempt. */
  readonly latencyMs?: (attempt: number) => number;
  readonly facts?: Partial<CompiledStep>;
  readonly retryAfterMs?: number;
}

/** The engine with made-up steps, on a clock that only jumps. */
export class VuFixture {
  readonly clock = new ManualClock();
  readonly stop = new Stop();
  readonly samples: Sample[] = [];
  /** Outcomes of attempts that could not be made. */
  readonly unsent: Outcome[] = [];
  /** How many requests each exchange was that gave no sample. */
  readonly unsampled: number[] = [];
  readonly results: IterationResult[] = [];
  /** When iterations began, and when requests were sent. */
  readonly begun: number[] = [];
  readonly sent: number[] = [];
  readonly late: number[] = [];
  /** When the iterations began whose requests were due, by request. */
  readonly offered: number[] = [];
  readonly held: number[] = [];
  readonly paused: number[] = [];
  readonly startedAt = this.clock.now();
  /** Hears of everything too, and who takes the iterations of a warm-up. */
  listeners: Pick<VuTools, "sink" | "warmUp"> | undefined;
  readonly generator = {
    offered: (at: number) => void this.offered.push(at),
    late: (ms: number) => void this.late.push(ms),
    held: (ms: number) => void this.held.push(ms),
    paused: (ms: number) => void this.paused.push(ms),
  };
  readonly #network = new Network({
    allowList: new AllowList([]),
    tls: { caCerts: [], insecure: false },
    clock: this.clock,
  });

  vu(id: number, limiter: Limiter = UNLIMITED): VirtualUser {
    const connections = new HttpConnections(this.#network);
    return new VirtualUser(id, connections, this.#network, this.tools(limiter));
  }

  tools(limiter: Limiter = UNLIMITED): VuTools {
    return {
      clock: this.clock,
      stop: this.stop,
      limiter,
      sizes: { variables: 1, pools: 0 },
      sink: {
        started: (at) => {
          this.begun.push(at);
          return false;
        },
        sample: (_, outcome, at, service, response) =>
          void this.samples.push({ outcome, at, service, response }),
        latency: (_, outcome, at, service, response) =>
          void this.samples.push({ outcome, at, service, response }),
        unsent: (...[, , outcome]) => void this.unsent.push(outcome),
        bytes: (...[, , , , requests]) => void this.unsampled.push(requests),
        iteration: (result) => void this.results.push(result),
      },
      ...this.listeners,
    };
  }

  /** A step that responds as the script says. */
  step(script: Script = {}): CompiledStep {
    const { statuses = [200], latencyMs = () => 10, facts } = script;
    let attempts = 0;
    const { clock, sent } = this;
    return {
      index: 0,
      pointer: "/steps/0",
      step: { id: "get", kind: "call", block: {}, on_failure: "abort_flow" },
      requests: true,
      exchanges: true,
      rules: {
        throttled: new Set(),
        judgesStatus: false,
        errors: { passed: false, throttled: false, failed: true },
      },
      retry: undefined,
      extractions: [],
      assertions: [],
      held: [],
      adapter: {
        attempt: promised(async (context) => {
          const number = attempts++;
          const start = clock.now();
          sent.push(start);
          await context.sleep(latencyMs(number));
          const status = statuses[Math.min(number, statuses.length - 1)]!;
          return response(status, start, clock.now(), script.retryAfterMs);
        }),
      },
      ...facts,
    };
  }

  /** What an executor is given. */
  load(
    plan: Partial<RunPlan>,
    steps: readonly CompiledStep[],
    limiter: Limiter = UNLIMITED,
  ): LoadRun {
    let next = 0;
    const flow = openFlow(steps);
    const { iterations = Infinity } = plan;
    return {
      plan: { ...PLAN, ...plan },
      shard: WHOLE,
      tools: this.tools(limiter),
      generator: this.generator,
      startedAt: this.startedAt,
      makeVu: (id) => this.vu(id, limiter),
      nextIteration: (): IterationInput | undefined =>
        next < iterations ? { iteration: next++, flow, rows: [] } : undefined,
      isOver: () => next >= iterations,
    };
  }

  /** Milliseconds into the run. */
  elapsed(at: number = this.clock.now()): number {
    return at - this.startedAt;
  }
}

/** Runs one step. */
export function runStep(
  step: CompiledStep,
  vu: VirtualUser,
): Promise<StepResult> {
  return new Promise((ended, broke) =>
    new StepRun(vu, { ended, broke }).begin(step)
  );
}

/** A flow of such steps. */
export function openFlow(
  steps: readonly CompiledStep[],
  facts: Partial<OpenFlow> = {},
): OpenFlow {
  return {
    index: 0,
    steps,
    sizes: { variables: 1, given: 0, pools: 0 },
    givenFrom: 0,
    drawnSecrets: [],
    keepsCookies: false,
    ...facts,
  };
}

/** What a plan says where a test does not. */
export const PLAN: RunPlan = {
  mode: "load",
  executor: "closed",
  seed: 1,
  peakVus: 1,
  requestTimeoutMs: 30_000,
  graceMs: 1_000,
};

function response(
  status: number,
  start: number,
  end: number,
  retryAfterMs: number | undefined,
): StepResponse {
  const never = { dns: NaN, connect: NaN, tls: NaN };
  const responded = status > 0;
  const failure = responded
    ? { code: "status", message: `response status was ${status}` }
    : status === 0
    ? { code: "refused", message: "connection refused" }
    : { code: "timeout", message: "no response in time" };
  const failed = !responded || (status >= 400 && status !== 429);
  return {
    signal: status === 429 ? "throttle" : failed ? "failure" : "ok",
    ...(failed && { failure }),
    ...(responded && { status }),
    marks: {
      start,
      ...never,
      firstByte: responded ? end : NaN,
      end,
    },
    bytesSent: 1,
    bytesReceived: 1,
    retryAfter: () => retryAfterMs,
    headers: () => [],
    json: () => undefined,
    detach() {},
    capturedRequest: () => undefined,
    capturedResponse: () => undefined,
  };
}
