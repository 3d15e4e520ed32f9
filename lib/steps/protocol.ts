import type { GenericSchema } from "valibot";
import type { Authorizer } from "./auth/scheme.ts";
import type { Names, Scope } from "../language/expressions/names.ts";
import type { Assertion, Capture, Step } from "../model/ir/flow.ts";
import type { Marks, Reply } from "../model/result/reply.ts";
import type { Form } from "../language/source/form.ts";
import type { Entry, Node } from "../language/source/node.ts";
import type { Offer } from "../language/source/offer.ts";
import type { Reader } from "../language/source/reader.ts";
import type {
  Diagnostic,
  IrLocation,
  Report,
} from "../base/text/diagnostic.ts";
import type { NamedFileLocation } from "../base/text/location.ts";
import type { JsonObject, JsonValue } from "../base/values/json.ts";
import type { HttpConnections } from "../wire/http/connections.ts";
import type { Deadlines } from "../wire/net/deadlines.ts";
import type { Dialed } from "../wire/net/network.ts";
import type { Origin } from "../wire/net/origin.ts";
import type { BaseUrl } from "../wire/net/url.ts";

/** The common step keys a protocol may take. `id` and `on_failure` go everywhere. */
export const STEP_KEYS = [
  "headers",
  "query",
  "body",
  "extract",
  "assert",
  "retry",
  "throttle",
  "auth",
] as const;
export type StepKey = (typeof STEP_KEYS)[number];

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

/** Something that holds a socket or a timer. */
export interface Closable {
  close(): void | Promise<void>;
  /**
   * How the peer ended it, as far as no step has seen that; undefined when there
   * is nothing to object to. Asked once it is closed.
   */
  unseenEnd?(): Reply | undefined;
}

/** Things a protocol keeps open between steps, by a key of its own. */
export interface Keep {
  get(key: string): Closable | undefined;
  set(key: string, thing: Closable): void;
  /** Forgets it; closing is the caller's. */
  delete(key: string): void;
}

/** What a VU hands to an attempt: its state, and authority over its sockets. */
export interface AttemptContext {
  readonly scope: Scope;
  readonly connections: HttpConnections;
  /** What is in here is closed when the iteration ends. */
  readonly sessions: Keep;
  /** Dials an origin through the allow-list, and marks how far it got. @throws {WireError} */
  dial(
    origin: Origin,
    timeoutMs: number,
    alpn?: readonly string[],
    marks?: Marks,
  ): Promise<Dialed>;
  /** Bounds an exchange without a timer of its own. */
  readonly deadlines: Deadlines;
  /** Aborts when the run is told to stop now. */
  readonly signal: AbortSignal;
  /** Now, on the run's clock; the same clock the marks are taken from. */
  now(): number;
  /** Resolves after `ms`, or at once when the run is told to stop now. */
  sleep(ms: number): Promise<void>;
}

/** Doing the same attempt again until its response is the expected one. */
export interface Repeat {
  /** What has to hold for the repeating to end. */
  readonly until: readonly BlockAssertion[];
  /** From the start of one attempt to the start of the next. */
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
   * @param withinMs bounds the exchange besides the request timeout, where the
   *   time of a step that repeats is running out
   * @throws {ResolutionError} when a template has no value
   * @throws {AuthError} when no credential can be had
   */
  attempt(context: AttemptContext, withinMs?: number): Promise<Reply>;
  /** Present on a step that repeats its request (`poll`). */
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
  readonly files: BlockFiles;
}

/** Files that a block names. */
export interface BlockFiles {
  /** Paths in the flow are relative to it. */
  readonly directory: string;
  /** @throws what the system says */
  readBytes(path: string): Uint8Array;
}

/** What is found while preparing a block: at a part of the block, or of such a file. */
export type BlockDiagnostic = Diagnostic<IrLocation | NamedFileLocation>;

/** What assertions and extractions may look at after a step. */
export interface Evidences {
  readonly status: boolean;
  readonly headers: boolean;
  readonly body: boolean;
}

/** One step of a kind, for the rules across steps. */
export interface KindStep<Block> {
  readonly step: Step;
  readonly block: Block;
  /** JSON Pointer of the step. */
  readonly pointer: string;
}

/** A name in a block that steps of its kind share: who opens it, and who joins. */
export interface SharedKey {
  readonly key: string;
  /** Keys with which a step makes the name; with none of them it joins. */
  readonly madeBy: readonly string[];
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
  /** Those of `keys` that may stand in the block instead; never in both. */
  readonly eitherKeys?: readonly StepKey[];
  /** What may stand under the action key, for editors; anything when absent. */
  readonly form?: Form;
  /** For editors: the name its steps share. */
  readonly sharedKey?: SharedKey;
  /** Makes requests, so that it takes auth and gives latency samples. */
  readonly requests: boolean;
  /**
   * Every status an answer can have, by the name assertions may use for it; any
   * whole number and no name when absent.
   */
  readonly statusNames?: ReadonlyMap<string, number>;
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
  /**
   * What traces say of a step with this block, by words of the protocol: its
   * operation, its method, its session.
   */
  facts?(block: Block): Readonly<Record<string, string>>;
  /** Whether this step sends a request of its own; `requests` when absent. */
  sends?(block: Block): boolean;
  /**
   * How long the block itself makes an iteration wait, beside its requests, at
   * the most; in microseconds, 0 when absent.
   */
  waitsUs?(block: Block): number;
  /** Whether its request carries credentials; as `sends` says when absent. */
  authorizes?(block: Block): boolean;
  /** What the step's answer has; everything when absent. */
  evidence?(block: Block): Evidences;
  /** Whether it writes the header field `name` itself; none of them when absent. */
  reserves?(name: string): boolean;
  /** Rules across the steps of this kind, given in flow order. */
  checkFlow?(steps: readonly KindStep<Block>[], report: Report): void;
  /**
   * Checks of a document that stands in the block itself, with a library that is
   * loaded for it alone. Nothing is read.
   */
  checkDocument?(block: Block): Promise<readonly Diagnostic<IrLocation>[]>;
  /** Checks before the first request that read files the block names. */
  checkFiles?(
    block: Block,
    files: BlockFiles,
  ): Promise<readonly BlockDiagnostic[]>;
  /**
   * For editors: what the value at `path` below the action key may be, beyond
   * what `form` says of it.
   *
   * @param written the block as far as it is written, checked by nobody
   */
  offer?(
    path: readonly (string | number)[],
    written: JsonObject,
    files: BlockFiles,
  ): Offer | Promise<Offer>;
  /** Compiles the block; runs once per step before the first request. */
  open(block: Block, tools: OpenTools): Adapter | Promise<Adapter>;
}

/** Whether a step with this block sends a request of its own. */
export function sendsRequest(protocol: Protocol, block: JsonObject): boolean {
  return protocol.sends?.(block) ?? protocol.requests;
}
