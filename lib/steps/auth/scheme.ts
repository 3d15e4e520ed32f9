import { BenchError } from "../../base/errors/bench_error.ts";
import type { Diagnostic } from "../../base/text/diagnostic.ts";
import type { GenericSchema } from "valibot";
import type { Names, Scope } from "../../language/expressions/names.ts";
import type { TextTemplate } from "../../language/expressions/text_template.ts";
import type { KeyTable } from "../../language/source/mapping.ts";
import type { Clock } from "../../base/time/clock.ts";
import type { JsonObject } from "../../base/values/json.ts";
import type { HeaderList } from "../../base/values/headers.ts";
import type { TokenSource } from "./token_source.ts";

/** A request as a signer sees it: rendered, final, about to be sent. */
export interface RequestDraft {
  readonly method: string;
  /** As sent, without the query. */
  readonly path: string;
  /** As sent, without the `?`; empty when there is none. */
  readonly query: string;
  readonly body: Uint8Array;
}

/** What a scheme may use when it is made ready for a run. */
export interface AuthTools {
  readonly names: Names;
  readonly clock: Clock;
  /** Hides a derived secret (a Basic blob, a fetched token) from everything stored. */
  readonly registerSecret: (value: string) => void;
  /** Fetches and shares OAuth2 tokens for this run. */
  readonly tokens: TokenSource;
}

/**
 * A scheme made ready: everything that does not depend on the attempt is
 * computed once.
 */
export interface Authorizer {
  /** Header fields whose values are templates, rendered with the request's own. */
  readonly headers: readonly (readonly [name: string, value: TextTemplate])[];
  /** Query parameters, likewise. */
  readonly query: readonly (readonly [name: string, value: TextTemplate])[];
  /** A `name=value` pair that joins the request's `Cookie` field. */
  readonly cookie?: readonly [name: string, value: TextTemplate];
  /**
   * Called before each attempt. Returns a promise only when there is something
   * to wait for (a token to fetch), so that the hot path stays synchronous.
   *
   * @throws {AuthError} when no credential can be had
   */
  ready?(scope: Scope): Promise<void> | undefined;
  /**
   * The credential of a request that was sent at `sentAt` was refused, and the
   * request is to be repeated.
   */
  refused?(scope: Scope, sentAt: number): void;
  /** Fields computed from the final request, per attempt (HMAC, a fetched token). */
  sign?(draft: RequestDraft, scope: Scope): HeaderList;
  /** The names of those fields. */
  readonly signs?: readonly string[];
}

/** Names of the header fields an authorizer writes, in lower case. */
export function fieldNames(authorizer: Authorizer | undefined): string[] {
  const { headers = [], signs = [] } = authorizer ?? {};
  return [...headers.map(([name]) => name), ...signs]
    .map((name) => name.toLowerCase());
}

/** No credential could be had; the step fails with this message. */
export class AuthError extends BenchError {
  override readonly name = "AuthError";
  declare readonly code: string;

  constructor(
    code: string,
    message: string,
    /** Milliseconds until it is worth trying once more, where that is known. */
    readonly retryInMs?: number,
  ) {
    super(message, { code });
  }
}

/** Everything the rest of the program may know about one auth scheme. */
export interface Scheme {
  readonly name: string;
  /** The scheme's keys in a flow file, without `scheme` itself. */
  readonly keys: KeyTable;
  /** Keys that must be exactly one `{{ env.* }}` template. */
  readonly secrets: readonly string[];
  /** Keys that are templates (all but HMAC's `sign` and closed words). */
  readonly templated: readonly string[];
  /** A secret key may also be an extracted variable (bearer's token). */
  readonly allowsVariable: boolean;
  /** Closed words by key, such as HMAC's `algorithm`. */
  readonly choices: Readonly<Record<string, readonly string[]>>;
  /** Keys that hold a list of strings; in a flow file one string stands for a list of one. */
  readonly lists: readonly string[];
  /** Values filled in when a key is absent; they stand in the IR. */
  readonly defaults: JsonObject;
  /** The IR block, strictly. */
  readonly schema: GenericSchema;
  /**
   * What the schema cannot check, such as an unknown placeholder in `sign`; by JSON
   * Pointer below the block.
   */
  check(block: JsonObject): readonly Diagnostic<string>[];
  /**
   * Header fields the scheme writes, for the clash check; lower case. A name
   * that is a template is left out: it is not known before the run.
   */
  headerNames(block: JsonObject): readonly string[];
  /**
   * Query parameters the scheme writes, likewise; letter case counts. None when
   * absent.
   */
  queryNames?(block: JsonObject): readonly string[];
  /** Compiles the block; runs once per step before the first request. */
  prepare(block: JsonObject, tools: AuthTools): Authorizer;
}
