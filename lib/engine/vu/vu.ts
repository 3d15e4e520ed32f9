import type { Clock } from "../../base/time/clock.ts";
import type { JsonValue } from "../../base/values/json.ts";
import {
  type Drawn,
  ResolutionError,
  type Scope,
  type TextTemplate,
} from "../../language/expressions/template.ts";
import type { Outcome } from "../../model/outcome.ts";
import type { Sink } from "../../model/result/iteration.ts";
import {
  hasLatency,
  serviceTime,
  type StepResponse,
} from "../../model/result/response.ts";
import {
  type IdWords,
  traceParent as parentOf,
} from "../../results/traces/trace_ids.ts";
import type { CookieJar } from "../../steps/cookie_jar.ts";
import type { AttemptContext, Closable, Keep } from "../../steps/protocol.ts";
import type { HttpConnections } from "../../wire/http/connections.ts";
import type { Deadlines } from "../../wire/net/deadlines.ts";
import type { Network } from "../../wire/net/network.ts";
import type { Limiter, Permit } from "../limiter/limiter.ts";
import type { CompiledStep } from "./compiled_step.ts";
import type { Stop } from "./stop.ts";

interface Entry {
  readonly session: Closable;
  /** The step that used it last. */
  user: number;
}

/** An end that no step has seen, and the step that used the session last. */
interface UnseenEnd {
  readonly step: number;
  readonly response: StepResponse;
}

/** The connections and sessions that protocols keep open between steps. */
export class Sessions implements Keep {
  #sessions: Map<string, Entry> | undefined;
  /** The step under way, by its position among those of the iteration. */
  step = 0;

  get(key: string): Closable | undefined {
    const entry = this.#sessions?.get(key);
    if (!entry) return undefined;
    entry.user = this.step;
    return entry.session;
  }

  set(key: string, session: Closable): void {
    (this.#sessions ??= new Map()).set(key, { session, user: this.step });
  }

  get empty(): boolean {
    return this.#sessions === undefined || this.#sessions.size === 0;
  }

  /** Closes everything at once, and waits for it. What cannot be closed is dropped. */
  async close(): Promise<void> {
    await this.end();
  }

  /** The same, and what no step has seen of how they ended. */
  async end(): Promise<readonly UnseenEnd[]> {
    const entries = Array.from(this.#sessions?.values() ?? []);
    this.#sessions = undefined;
    await Promise.all(entries.map(({ session }) => drop(session)));
    return entries.flatMap(({ session, user: step }) => {
      const response = session.unseenEnd?.();
      return response ? [{ step, response }] : [];
    });
  }
}

async function drop(session: Closable): Promise<void> {
  try {
    await session.close();
  } catch {
    // The server may be gone: it is closed already.
  }
}

/** The tools that all VUs of a thread share. */
export interface VuTools {
  readonly clock: Clock;
  readonly stop: Stop;
  readonly sink: Sink;
  /** Takes the iterations that begin before then, on the run's clock. */
  readonly warmUp?: { readonly untilMs: number; readonly sink: Sink };
  /** Every request needs a permit of it. */
  readonly limiter: Limiter;
  /** How many variables and pools there are: the most that a flow has. */
  readonly sizes: { readonly variables: number; readonly pools: number };
  /** The values of the variables that every iteration begins with. */
  readonly given?: readonly unknown[] | undefined;
  /** The words that ids of traces are made of, where requests say them. */
  readonly traceparent?: IdWords | undefined;
}

/** The parts of a flow that a VU makes itself ready for. */
export interface NextFlow {
  /** Its place among the flows of the run. */
  readonly index: number;
  /** How many variables and pools it has; the first variables are given. */
  readonly sizes: VuTools["sizes"] & { readonly given: number };
  /** Where those begin among the variables that all flows are given. */
  readonly givenFrom: number;
  /** Makes the cookies of a VU, where the flow keeps them. */
  readonly cookies?: () => CookieJar;
  /** They are kept from one iteration to the next. */
  readonly keepsCookies: boolean;
}

/**
 * One simulated user: its variables, its row, its connections. Variables live
 * for one iteration; connections live as long as the VU.
 */
export class VirtualUser implements AttemptContext {
  readonly scope: Scope;
  readonly sessions: Sessions = new Sessions();
  /** Of the flow under way. */
  cookies: CookieJar | undefined;
  /** By flow: one never sees the cookies of another. */
  readonly #jars: CookieJar[] = [];
  /** The iteration got a byte from the network, or waited for a timer. */
  hasExchanged = false;
  /** Responses of this iteration are copied out of their buffers, for its trace. */
  keepsResponses = false;
  iteration = 0;
  /** When its iteration began, on the run's clock. */
  beganAt = NaN;
  slot: Permit | undefined;
  spare: StepResponse | undefined;
  /** Who listens to this iteration. */
  sink: Sink;
  /** Of what it extracted and drew, the values that must not be stored; undefined without any. */
  secrets: string[] | undefined;

  constructor(
    readonly id: number,
    readonly connections: HttpConnections,
    readonly network: Network,
    private readonly tools: VuTools,
  ) {
    this.sink = tools.sink;
    const { variables, pools } = tools.sizes;
    this.scope = {
      variables: new Array(variables).fill(undefined),
      rows: new Array(pools).fill(undefined),
      values: undefined,
    };
  }

  #waking: AbortController | undefined;
  #attempts = 0;

  /**
   * Aborted with the run. A listener for each sleep on the run's one signal
   * would make a sleep cost as much as there are VUs; this is one a VU.
   */
  #wakened(): AbortController {
    const own = new AbortController();
    this.signal.addEventListener("abort", () => own.abort(this.signal.reason), {
      once: true,
    });
    return own;
  }

  /** Aborts when the run has to stop now. */
  get signal(): AbortSignal {
    return this.tools.stop.signal;
  }

  get deadlines(): Deadlines {
    return this.network.deadlines;
  }

  /** The run must end at once. */
  get stopped(): boolean {
    return this.tools.stop.signal.aborted;
  }

  now(): number {
    return this.tools.clock.now();
  }

  sleep(ms: number): Promise<void> {
    this.hasExchanged = true;
    if (this.stopped) return Promise.resolve();
    return this.tools.clock.sleep(
      ms,
      (this.#waking ??= this.#wakened()).signal,
    );
  }

  /** An iteration began; its responses are kept when its trace will be. */
  started(at: number, iteration: number): void {
    const { sink, warmUp } = this.tools;
    this.sink = warmUp && at < warmUp.untilMs ? warmUp.sink : sink;
    this.keepsResponses = this.sink.started(at, iteration);
    this.iteration = iteration;
    this.beganAt = at;
    this.#attempts = 0;
  }

  /** An attempt of a step begins: its request may say which span it is. */
  attempting(): void {
    const { traceparent } = this.tools;
    if (!traceparent) return;
    this.scope.traceparent = parentOf(
      traceparent,
      this.iteration,
      this.#attempts++,
    );
  }

  /** A permit for the next request. */
  acquire(): Permit | Promise<Permit> {
    return this.tools.limiter.acquire(this);
  }

  /** Records one attempt and its latency; without a response nothing was sent. */
  sample(
    step: CompiledStep,
    response: StepResponse | undefined,
    outcome: Outcome,
    permit: Permit,
  ): void {
    if (!response) {
      if (!step.requests || this.stopped) return;
      return this.sink.unsent(step.index, this.now(), outcome);
    }
    if (this.stopped) return this.#cutOff(step, response);
    const { marks, samples } = response;
    if (!step.requests) {
      if (step.exchanges) this.sink.unsent(step.index, marks.end, outcome);
      return this.#countBytes(step, response);
    }
    if (response.bytesReceived > 0) this.hasExchanged = true;
    const { dueAt } = permit;
    if (samples) {
      return this.#sampleEach(step, response, outcome, samples, dueAt);
    }
    const service = hasLatency(response) ? serviceTime(marks) : NaN;
    this.sink.sample(
      step.index,
      outcome,
      marks.end,
      service,
      Number.isNaN(dueAt) || Number.isNaN(service)
        ? service
        : marks.end - dueAt,
      response.bytesSent,
      response.bytesReceived,
    );
  }

  /**
   * Start lag, bytes and the attempt itself once, with the first sample: it has one
   * permit, however many exchanges it is.
   */
  #sampleEach(
    { index }: CompiledStep,
    response: StepResponse,
    outcome: Outcome,
    samples: readonly number[],
    dueAt: number,
  ): void {
    const { sink } = this;
    const { marks, bytesSent, bytesReceived } = response;
    const { end } = marks;
    if (samples.length === 0 && bytesSent === 0) {
      sink.unsent(index, end, outcome);
      return sink.bytes(index, end, 0, bytesReceived, 0);
    }
    const { start } = (response.before ?? response).marks;
    const late = Number.isNaN(dueAt) ? 0 : start - dueAt;
    const first = samples[0] ?? NaN;
    sink.sample(
      index,
      outcome,
      end,
      first,
      first + late,
      bytesSent,
      bytesReceived,
    );
    for (let at = 1; at < samples.length; at++) {
      const each = samples[at]!;
      if (!Number.isNaN(each)) sink.latency(index, outcome, end, each, each);
    }
  }

  #countBytes(
    { index }: CompiledStep,
    response: StepResponse,
    requests = 0,
  ): void {
    const { bytesSent: sent, bytesReceived: received, marks: { end } } =
      response;
    if (sent > 0 || received > 0) {
      this.sink.bytes(index, end, sent, received, requests);
    }
  }

  /** The end of the run cut an attempt off: it is no sample, but what it sent was sent. */
  #cutOff(step: CompiledStep, response: StepResponse): void {
    const requests = step.requests && response.bytesSent > 0 ? 1 : 0;
    this.#countBytes(step, response, requests);
  }

  /** Closes every connection; what is under way ends. */
  close(): Promise<void> {
    this.connections.close();
    return this.sessions.close();
  }

  /** Takes what was drawn for the iteration that began. */
  drawn(values: readonly Drawn[], secrets: readonly TextTemplate[]): void {
    this.scope.values = values;
    if (secrets.length > 0) this.keepSecret(secrets);
  }

  /** Remembers what is sent as a credential. */
  keepSecret(templates: readonly TextTemplate[]): void {
    for (const template of templates) {
      try {
        (this.secrets ??= []).push(template.render(this.scope));
      } catch (error) {
        // A part that the value does not have.
        if (!(error instanceof ResolutionError)) throw error;
      }
    }
  }

  /** Everything of this iteration that must not be stored; undefined without any. */
  allSecrets(): readonly string[] | undefined {
    const cookies = this.cookies?.secrets;
    if (!cookies) return this.secrets;
    return this.secrets ? [...this.secrets, ...cookies] : cookies;
  }

  /** Forgets what the last iteration extracted; the next one is of another flow, perhaps. */
  reset(
    { index, sizes: { given }, givenFrom, cookies, keepsCookies }: NextFlow,
  ): void {
    this.hasExchanged = false;
    this.secrets = undefined;
    this.cookies = cookies && (this.#jars[index] ??= cookies());
    if (keepsCookies) this.cookies?.renew();
    else this.cookies?.clear();
    const { variables } = this.scope;
    const values = this.tools.given;
    for (let at = 0; at < given; at++) {
      variables[at] = values?.[givenFrom + at] as JsonValue;
    }
    variables.fill(undefined, given);
    this.scope.rows.fill(undefined);
  }
}
