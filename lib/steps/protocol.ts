import type { Authorizer } from "./auth/scheme.ts";
import type { CookieJar } from "./cookie_jar.ts";
import type { JsonObject } from "../base/values/json.ts";
import type { Names, Scope } from "../language/expressions/template.ts";
import type { BlockFiles, Kind } from "../language/flow/registry.ts";
import type { Assertion, Capture } from "../language/ir.ts";
import { startMarks, type StepResponse } from "../model/result/response.ts";
import type { HttpConnections } from "../wire/http/connections.ts";
import type { Deadlines } from "../wire/net/deadlines.ts";
import type { Network } from "../wire/net/network.ts";
import type { BaseUrl } from "../wire/net/url.ts";

/** Something that holds a socket or a timer. */
export interface Closable {
  close(): void | Promise<void>;
  /**
   * How the server ended it, as far as no step has seen that; undefined when there
   * is nothing to object to. Asked once it is closed.
   */
  unseenEnd?(): StepResponse | undefined;
}

/** Things a protocol keeps open between steps, by a key of its own. */
export interface Keep {
  get(key: string): Closable | undefined;
  set(key: string, thing: Closable): void;
}

/** The VU of an attempt: its state, and authority over its sockets. */
export interface AttemptContext {
  readonly scope: Scope;
  readonly connections: HttpConnections;
  /** Dials an origin through the allow-list, for a protocol that is not over HTTP. */
  readonly network: Pick<Network, "dial">;
  /** Resources that are closed when the iteration ends. */
  readonly sessions: Keep;
  /**
   * The response of the same step in the iteration before, which has ended: it may be
   * made the next one.
   */
  readonly spare?: StepResponse | undefined;
  /** Of the VU, where the flow keeps cookies. */
  readonly cookies?: CookieJar | undefined;
  /** Bounds an exchange without a timer of its own. */
  readonly deadlines: Deadlines;
  /** The number of its iteration, 0-based, unique in the run. */
  readonly iteration: number;
  /** Aborts when the run has to stop now. */
  readonly signal: AbortSignal;
  /** Now, on the run's clock; the same clock the marks are taken from. */
  now(): number;
  /** Resolves after `ms`, or at once when the run has to stop now. */
  sleep(ms: number): Promise<void>;
}

/** Doing the same attempt again until its response is the expected one. */
export interface Repeat {
  /** The conditions that end the repeating, by JSON Pointer below the block. */
  readonly until: readonly {
    readonly pointer: string;
    readonly assertion: Assertion;
  }[];
  /** From the start of one attempt to the start of the next. */
  readonly intervalMs: number;
  /** From the first attempt's start; absent when only attempts bound it. */
  readonly timeoutMs?: number;
  readonly maxAttempts?: number;
}

/**
 * Takes the result of an attempt. One of the two is called, once, maybe before `attempt`
 * returns; neither throws.
 */
export interface AttemptEnd {
  response(response: StepResponse): void;
  /** There is no response: takes what `attempt` may throw as well. */
  error(error: unknown): void;
}

/** A step made ready. Shared by all VUs of a thread; keeps no state of theirs. */
export interface Adapter {
  /**
   * Makes one attempt. A failure on the wire is a response with signal `failure`.
   *
   * @param withinMs bounds the exchange besides the request timeout, where the
   *   time of a step that repeats is running out
   * @throws {ResolutionError} when a template has no value
   * @throws {AuthError} when no credential can be had
   */
  attempt(context: AttemptContext, end: AttemptEnd, withinMs?: number): void;
  /** Present on a step that repeats its request (`poll`). */
  readonly repeat?: Repeat;
}

/** The tools of a protocol that makes a step ready. */
export interface OpenTools {
  readonly names: Names;
  /** The first `base_urls` entry: relative URLs join it. */
  readonly base: BaseUrl;
  readonly authorizer: Authorizer | undefined;
  /** Bounds one exchange. */
  readonly timeoutMs: number;
  /** `timeoutMs` is the step's own: it bounds an attempt of several exchanges as a whole. */
  readonly ownTimeout?: boolean;
  readonly userAgent: string;
  /** Of everything random in the run. */
  readonly seed: number;
  /** Of the step among those of the flow, 0-based. */
  readonly position: number;
  /** Requests say which trace they belong to. */
  readonly traceparent?: boolean;
  /** VUs keep the cookies that responses set, and send them. */
  readonly keepsCookies?: boolean;
  readonly capture: Capture;
  /** Milliseconds since the epoch; for `Retry-After` dates. */
  readonly wall: () => number;
  readonly files: BlockFiles;
}

/** One action kind: what the language has to know of it, and how it is done. */
export interface Protocol<Block extends JsonObject = JsonObject>
  extends Kind<Block> {
  /**
   * The attributes of a step with this block in traces, by words of the protocol: its
   * operation, its method, its session.
   */
  facts?(block: Block): Readonly<Record<string, string>>;
  /** Compiles the block; runs once per step before the first request. */
  open(block: Block, tools: OpenTools): Adapter | Promise<Adapter>;
}

/** An attempt that is an async function. */
export function promised(
  attempt: (
    context: AttemptContext,
    withinMs?: number,
  ) => Promise<StepResponse>,
): Adapter["attempt"] {
  return (context, end, withinMs) => settle(attempt(context, withinMs), end);
}

/** Ends an attempt with what a promise is settled with. */
export function settle(
  response: Promise<StepResponse>,
  end: AttemptEnd,
): void {
  response.then(
    (each) => end.response(each),
    (error) => end.error(error),
  );
}

/** The response of a step that exchanged nothing. */
export function exchangeless(start: number, end: number): StepResponse {
  return {
    signal: "ok",
    marks: { ...startMarks(start), end },
    bytesSent: 0,
    bytesReceived: 0,
    heldBytes: 0,
    retryAfter: () => undefined,
    headers: () => [],
    json: () => undefined,
    detach() {},
    capturedRequest: () => undefined,
    capturedResponse: () => undefined,
  };
}
