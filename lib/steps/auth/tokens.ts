import { Buffer } from "node:buffer";
import type { Clock } from "../../base/time/clock.ts";
import type { HeaderList } from "../../base/values/headers.ts";
import { AuthError } from "./scheme.ts";
import { readToken, reason, type TokenReply } from "./token_answer.ts";
import {
  tokenKey,
  type TokenRequest,
  type TokenSource,
} from "./token_source.ts";

/** What fetching tokens needs from the run. */
export interface TokenTools {
  /**
   * Sends one POST through the run's own client and allow-list. A rejection
   * becomes the reason why there is no token.
   */
  readonly post: (
    url: string,
    headers: HeaderList,
    body: string,
  ) => Promise<TokenReply>;
  readonly clock: Clock;
  readonly registerSecret: (value: string) => void;
}

/** Seconds before its end at which a token is fetched anew. */
const EARLY = 30;
/** Seconds a token is used at the least, however short it lives. */
const SHORTEST_USE = 1;

interface Held {
  readonly token: string;
  /** Milliseconds on the clock; Infinity for the rest of the run. */
  freshUntil: number;
  readonly expiresAt: number;
}

/** One set of credentials: its token in hand and the fetch under way. */
interface Grant {
  held?: Held;
  pending?: Promise<string>;
}

/**
 * Keeps one token for each set of credentials, for one thread.
 *
 * A token is good until 30 s before it expires. One that lives 30 s or less
 * would never be good by that rule and every request would fetch its own: such
 * a token is good for half its life, and any token for at least 1 s. One
 * without `expires_in` is kept for the run. When a refresh fails, a token that
 * has not expired is used on and the refresh tried again after 1 s.
 */
export function createTokenSource(tools: TokenTools): TokenSource {
  const grants = new Map<string, Grant>();
  // Most requests are the same object each time: no key to build for those.
  const known = new WeakMap<TokenRequest, Grant>();

  function grantOf(request: TokenRequest): Grant {
    let grant = known.get(request);
    if (grant) return grant;
    const key = tokenKey(request);
    grant = grants.get(key) ?? {};
    grants.set(key, grant);
    known.set(request, grant);
    return grant;
  }

  return {
    current(request) {
      const { held } = grantOf(request);
      return held && tools.clock.now() < held.freshUntil
        ? held.token
        : undefined;
    },
    fetch(request) {
      const grant = grantOf(request);
      grant.pending ??= renew(grant, request, tools).finally(() => {
        delete grant.pending;
      });
      return grant.pending;
    },
  };
}

async function renew(
  grant: Grant,
  request: TokenRequest,
  tools: TokenTools,
): Promise<string> {
  // From the send: the answer may have been long on its way.
  const sentAt = tools.clock.now();
  try {
    const { token, expiresIn } = readToken(
      await ask(request, tools),
      request.tokenUrl,
    );
    tools.registerSecret(token);
    const life = expiresIn ?? Infinity;
    grant.held = {
      token,
      freshUntil: sentAt + useOf(life) * 1_000,
      expiresAt: sentAt + life * 1_000,
    };
    return token;
  } catch (error) {
    const now = tools.clock.now();
    const { held } = grant;
    if (!held || now >= held.expiresAt) throw error;
    held.freshUntil = Math.min(now + SHORTEST_USE * 1_000, held.expiresAt);
    return held.token;
  }
}

/** Seconds a token of this life is used. */
function useOf(life: number): number {
  return Math.max(life > EARLY ? life - EARLY : life / 2, SHORTEST_USE);
}

/**
 * HTTP Basic first; a server that will not have it gets the credentials in the
 * form once (RFC 6749 section 2.3.1 allows both).
 */
async function ask(
  request: TokenRequest,
  tools: TokenTools,
): Promise<TokenReply> {
  const id = formEncode(request.clientId);
  const secret = formEncode(request.clientSecret);
  const blob = Buffer.from(`${id}:${secret}`).toString("base64");
  tools.registerSecret(blob);
  const scope = request.scope && `&scope=${formEncode(request.scope)}`;
  const form = `grant_type=client_credentials${scope}`;

  const first = await send(request.tokenUrl, form, blob, tools);
  if (first.status !== 400 && first.status !== 401) return first;
  const second = await send(
    request.tokenUrl,
    `${form}&client_id=${id}&client_secret=${secret}`,
    undefined,
    tools,
  );
  if (second.status === 200) return second;
  throw new AuthError(
    "token-status",
    `token endpoint \`${request.tokenUrl}\` must answer 200, but it answered ${first.status}${
      reason(first.body)
    } to HTTP Basic and ${second.status}${
      reason(second.body)
    } to credentials in the form`,
  );
}

async function send(
  url: string,
  form: string,
  basic: string | undefined,
  { post }: TokenTools,
): Promise<TokenReply> {
  const headers: [string, string][] = [
    ["Accept", "application/json"],
    ["Content-Type", "application/x-www-form-urlencoded"],
  ];
  if (basic !== undefined) headers.push(["Authorization", `Basic ${basic}`]);
  try {
    return await post(url, headers, form);
  } catch (error) {
    if (error instanceof AuthError) throw error;
    throw new AuthError(
      "token-fetch",
      `Cannot fetch a token from \`${url}\`: ${
        error instanceof Error ? error.message : String(error)
      }`,
    );
  }
}

/** application/x-www-form-urlencoded (RFC 6749 appendix B): space is `+`. */
function formEncode(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}
