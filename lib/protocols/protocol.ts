import type { GenericSchema } from "valibot";
import type { Authorizer } from "../auth/scheme.ts";
import type { Mismatch } from "../expr/check.ts";
import type { Names, Scope } from "../expr/names.ts";
import type { Assertion, Capture } from "../ir/flow.ts";
import type { Reply } from "../result/reply.ts";
import type { Entry, Node } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import type { JsonObject, JsonValue } from "../values/json.ts";
import type { HttpConnections } from "../wire/connections.ts";
import type { BaseUrl } from "../wire/url.ts";

/** The common step keys a protocol may take. `id` and `on_failure` go everywhere. */
export type StepKey =
  | "headers"
  | "query"
  | "body"
  | "extract"
  | "assert"
  | "retry"
  | "throttle"
  | "auth";

/** One step's nodes, for a protocol that reads its own keys. */
export interface StepSource {
  /** The value of the action key. */
  readonly action: Node;
  /** JSON Pointer of the step in the IR, such as `/steps/0`. */
  readonly pointer: string;
  /** A common key the protocol takes; undefined when it is not written. */
  key(name: StepKey): Entry | undefined;
}

/** A string of a block that templates may stand in. */
export interface TemplatedField {
  /** JSON Pointer below the block, such as `/headers/X-Id`. */
  readonly pointer: string;
  /** A string, or a whole JSON payload whose string leaves are templates. */
  readonly value: JsonValue;
}

/** An assertion that stands inside a block. */
export interface BlockAssertion {
  /** JSON Pointer below the block, such as `/until/0`. */
  readonly pointer: string;
  readonly assertion: Assertion;
}

/** What a VU hands to an attempt: its state, and authority over its sockets. */
export interface AttemptContext {
  readonly scope: Scope;
  readonly connections: HttpConnections;
  /** Now, on the run's clock; the same clock the marks are taken from. */
  now(): number;
  /** Resolves after `ms`, or at once when the run is told to stop now. */
  sleep(ms: number): Promise<void>;
}

/** A condition that does not hold yet. */
export interface Unmet extends Mismatch {
  /** JSON Pointer below the block, such as `/until/0`. */
  readonly pointer: string;
}

/** Doing the same attempt again until its answer is the wanted one. */
export interface Repeat {
  /** The first condition that does not hold; undefined ends the repeating. */
  until(reply: Reply, scope: Scope): Unmet | undefined;
  /** A condition looks at the status, so an error status alone ends nothing. */
  readonly judgesStatus: boolean;
  readonly intervalMs: number;
  /** From the first attempt's start; absent when only attempts bound it. */
  readonly timeoutMs?: number;
  readonly maxAttempts?: number;
}

/** A step made ready. Shared by all VUs of a thread; keeps no state of theirs. */
export interface Adapter {
  /**
   * Makes one attempt. Wire trouble is a reply with signal `failure`.
   *
   * @throws {ResolutionError} when a template has no value
   * @throws {AuthError} when no credential can be had
   */
  attempt(context: AttemptContext): Promise<Reply>;
  /** Present on a step that asks again and again (`poll`). */
  readonly repeat?: Repeat;
}

/** What a protocol may use when it makes a step ready. */
export interface OpenTools {
  readonly names: Names;
  /** The first `base_urls` entry: relative URLs join it. */
  readonly base: BaseUrl;
  readonly authorizer: Authorizer | undefined;
  /** Bounds one attempt. */
  readonly timeoutMs: number;
  readonly userAgent: string;
  readonly capture: Capture;
  /** Milliseconds since the epoch; for `Retry-After` dates. */
  readonly wall: () => number;
}

/**
 * One action kind. The rest of the program sees the block as plain JSON: only
 * this protocol's file gives it a type.
 */
export interface Protocol<Block extends JsonObject = JsonObject> {
  /** The action key. */
  readonly kind: string;
  /** One line for a person, shown by editors. */
  readonly doc: string;
  readonly keys: readonly StepKey[];
  /** Makes requests, so that it takes auth and gives latency samples. */
  readonly requests: boolean;
  /** The IR block, strictly. */
  readonly schema: GenericSchema;
  /** Reads the YAML form; reports every mistake, and places what it read. */
  parse(source: StepSource, reader: Reader): Block | undefined;
  /** Every templated string of the block. */
  templates(block: Block): readonly TemplatedField[];
  /** Assertions of the block (`until`), for the checks across steps. */
  assertions?(block: Block): readonly BlockAssertion[];
  /** Request URLs as written, for the allow-list check before the run. */
  urls(block: Block): readonly TemplatedField[];
  /** Compiles the block; runs once per step before the first request. */
  open(block: Block, tools: OpenTools): Adapter | Promise<Adapter>;
}
