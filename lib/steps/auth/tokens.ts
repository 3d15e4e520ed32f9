import type { Clock } from "../../base/time/clock.ts";
import {
  AuthError,
  type Lease,
  type ObtainToken,
  type OldToken,
  type TokenRequest,
  type TokenSource,
} from "./scheme.ts";
import { TokenRefusal } from "./token_response.ts";

/** How long a token endpoint is left alone after a failure: doubled by each further one. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** The longest time one timer takes (2^31 milliseconds). */
const LONGEST_SLEEP_MS = 2 ** 31 - 1;
/** The longest `Retry-After` that is heeded, as between the attempts of a step. */
const LONGEST_ASKED_MS = 120_000;

/** A token in use; times are milliseconds on this thread's clock. */
interface Held {
  readonly token: string;
  readonly since: number;
  /** Pushed back when a renewal fails. */
  renewAt: number;
  readonly endsAt: number;
  /** Somebody asked for it. */
  used: boolean;
}

/** A pause that doubles each time it is taken. */
class Pause {
  ms = 0;

  next(): number {
    return this.ms = Math.min(this.ms * 2 || FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
  }
}

/** One set of credentials: its token and the request for the next one. */
interface Grant {
  held?: Held | undefined;
  /** The last token, when it was refused. */
  refused?: Held | undefined;
  pending?: Promise<Held> | undefined;
  failed?: { readonly error: unknown; readonly until: number } | undefined;
  failures: Pause;
  refusals: Pause;
}

/** Keeps one token for each set of credentials, for one thread (docs/decisions/011-tokens.md). */
export class TokenKeeper implements TokenSource {
  readonly #grants = new Map<string, Grant>();
  // Most requests are the same object each time: no key to build for those.
  readonly #known = new WeakMap<TokenRequest, Grant>();
  readonly #closed = new AbortController();

  constructor(readonly obtain: ObtainToken, readonly clock: Clock) {}

  current(request: TokenRequest): string | undefined {
    const grant = this.#grantOf(request);
    const { held } = grant;
    if (!held) return undefined;
    held.used = true;
    const now = this.clock.now();
    if (now < held.renewAt) return held.token;
    if (now >= held.endsAt) return undefined;
    // It is valid: no VU waits, and what fails is tried once more later.
    this.#renewal(grant, request).catch(() => {});
    return held.token;
  }

  async fetch(request: TokenRequest): Promise<string> {
    const { token } = await this.lease(request);
    return token;
  }

  refused(request: TokenRequest, sentAt: number): void {
    const grant = this.#grantOf(request);
    // One that came after the request was sent is another token.
    if (grant.held && grant.held.since <= sentAt) this.#discard(grant);
  }

  /**
   * A token for another thread that has `old`: the same only when it is not yet
   * due for renewal, or cannot be renewed.
   *
   * @throws {AuthError} with the time until the endpoint is asked once more
   */
  async lease(request: TokenRequest, old?: OldToken): Promise<Lease> {
    const grant = this.#grantOf(request);
    const now = this.clock.now();
    if (old?.refused && grant.held?.token === old.token) this.#discard(grant);
    const { held } = grant;
    if (held) held.used = true;
    if (held && now < held.endsAt) {
      if (now < held.renewAt || held.token !== old?.token) {
        return leaseOf(held, now);
      }
    }
    try {
      const next = await this.#renewal(grant, request);
      next.used = true;
      return leaseOf(next, this.clock.now());
    } catch (error) {
      const later = this.clock.now();
      if (grant.held && later < grant.held.endsAt) {
        return leaseOf(grant.held, later);
      }
      throw withPause(error, grant, later);
    }
  }

  /** Renews no token any more. */
  close(): void {
    this.#closed.abort();
  }

  /**
   * Renews a token when it falls due although no request asks for it: the step that
   * comes next may still wait, in a backoff or between iterations. A token that
   * no step used is left, but for the one of a run with one set of credentials: those
   * of a thousand fixture rows may all be done with.
   */
  async #renewWhenDue(
    grant: Grant,
    request: TokenRequest,
    held: Held,
  ): Promise<void> {
    const { signal } = this.#closed;
    while (!signal.aborted && grant.held === held) {
      const left = held.renewAt - this.clock.now();
      if (left > 0) {
        await this.clock.sleep(Math.min(left, LONGEST_SLEEP_MS), signal);
        continue;
      }
      if (!held.used && this.#grants.size > 1) return;
      try {
        await this.#renewal(grant, request);
      } catch {
        // Repeated after its pause, as long as there is a valid token to replace.
        if (this.clock.now() >= held.endsAt) return;
      }
    }
  }

  #grantOf(request: TokenRequest): Grant {
    let grant = this.#known.get(request);
    if (grant) return grant;
    const key = keyOf(request);
    grant = this.#grants.get(key) ??
      { failures: new Pause(), refusals: new Pause() };
    this.#grants.set(key, grant);
    this.#known.set(request, grant);
    return grant;
  }

  /** The renewal under way, or a new one where the endpoint may be asked. */
  #renewal(grant: Grant, request: TokenRequest): Promise<Held> {
    const { failed } = grant;
    if (grant.pending) return grant.pending;
    if (failed && this.clock.now() < failed.until) {
      return Promise.reject(failed.error);
    }
    return grant.pending = this.#renew(grant, request)
      .finally(() => grant.pending = undefined);
  }

  async #renew(grant: Grant, request: TokenRequest): Promise<Held> {
    const { held, refused } = grant;
    const old = held ?? refused;
    try {
      const lease = await this.obtain(
        request,
        old && { token: old.token, refused: old === refused },
      );
      const now = this.clock.now();
      grant.failed = undefined;
      grant.failures.ms = 0;
      const same = old?.token === lease.token;
      const next: Held = {
        token: lease.token,
        since: same ? old.since : now,
        renewAt: now + lease.renewInMs,
        endsAt: now + lease.endsInMs,
        used: same && old.used,
      };
      grant.held = next;
      if (lease.renewInMs < Infinity) {
        void this.#renewWhenDue(grant, request, next);
      }
      return next;
    } catch (error) {
      const until = this.clock.now() + pauseAfter(error, grant);
      grant.failed = { error, until };
      if (grant.held) grant.held.renewAt = Math.min(until, grant.held.endsAt);
      throw error;
    }
  }

  /**
   * A server that refuses every token must not have one fetched for each
   * attempt: one that is refused soon after another is used on for a while.
   */
  #discard(grant: Grant): void {
    const held = grant.held!;
    const used = this.clock.now() - held.since;
    if (used < grant.refusals.ms) return;
    if (used > LONGEST_PAUSE_MS) grant.refusals.ms = 0;
    grant.refusals.next();
    grant.refused = held;
    grant.held = undefined;
  }
}

/** Equal for requests that share one token. */
function keyOf(
  { tokenUrl, clientId, clientSecret, scope }: TokenRequest,
): string {
  return JSON.stringify([tokenUrl, clientId, clientSecret, scope]);
}

/**
 * The tokens that one part of a run fetched, for those that follow on the same thread:
 * `setup`, the iterations and `teardown` each keep their own, and end by themselves.
 */
export class KnownTokens {
  readonly #leases = new Map<string, Lease & { readonly at: number }>();
  /** Renewals that failed, and why the last one did. */
  readonly notRenewed = { count: 0, why: "" };

  /** A token could not be renewed. */
  missRenewal(why: string): void {
    this.notRenewed.count++;
    this.notRenewed.why = why;
  }

  note(request: TokenRequest, lease: Lease, now: number): void {
    this.#leases.set(keyOf(request), { ...lease, at: now });
  }

  /** One that is not due for renewal, and is not the one to be replaced. */
  find(
    request: TokenRequest,
    old: OldToken | undefined,
    now: number,
  ): Lease | undefined {
    const key = keyOf(request);
    const known = this.#leases.get(key);
    if (!known) return undefined;
    const { token, renewInMs, endsInMs, at } = known;
    if (token === old?.token) {
      if (old.refused) this.#leases.delete(key);
      return undefined;
    }
    const passed = now - at;
    return passed < renewInMs
      ? { token, renewInMs: renewInMs - passed, endsInMs: endsInMs - passed }
      : undefined;
  }
}

function leaseOf({ token, renewAt, endsAt }: Held, now: number): Lease {
  return {
    token,
    renewInMs: Math.max(0, renewAt - now),
    endsInMs: endsAt - now,
  };
}

/** At the least as long as the endpoint asks for. Another thread knows its own pause. */
function pauseAfter(error: unknown, { failures }: Grant): number {
  const given = error instanceof AuthError ? error.retryInMs : undefined;
  if (given !== undefined) return given;
  const asked = error instanceof TokenRefusal ? error.retryAfterMs ?? 0 : 0;
  return Math.max(failures.next(), Math.min(asked, LONGEST_ASKED_MS));
}

function withPause(error: unknown, { failed }: Grant, now: number): unknown {
  if (!failed || !(error instanceof AuthError)) return error;
  const { code, message, status } = error;
  return new AuthError(code, message, Math.max(0, failed.until - now), status);
}
