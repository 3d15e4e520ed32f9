import { Buffer } from "node:buffer";
import type { Clock } from "../../base/time/clock.ts";
import type { HeaderList } from "../../base/values/headers.ts";
import { AuthError, type Lease, type TokenRequest } from "./scheme.ts";
import {
  isSuccess,
  readToken,
  reason,
  type TokenEndpointResponse,
  TokenRefusal,
} from "./token_response.ts";
import { type KnownTokens, TokenKeeper } from "./tokens.ts";

/** The parts of a run that fetching tokens needs. */
interface TokenTools {
  /**
   * Sends one POST through the run's own client and allow-list. A rejection
   * becomes the reason why there is no token.
   */
  readonly post: (
    url: string,
    headers: HeaderList,
    body: string,
  ) => Promise<TokenEndpointResponse>;
  readonly clock: Clock;
  readonly registerSecret: (value: string) => void;
  /** Cuts off what is under way. */
  readonly signal: AbortSignal;
  /** Tokens that other parts of the run fetched. */
  readonly knownTokens?: KnownTokens | undefined;
}

/** Seconds before its end at which a token is renewed. */
const EARLY = 30;
/** Seconds a token is used at the least, however short it lives. */
const SHORTEST_USE = 1;

/** Tokens that this thread fetches from their endpoints. */
export function createTokenSource(tools: TokenTools): TokenKeeper {
  const { clock, signal, knownTokens } = tools;
  return new TokenKeeper(async (request, old) => {
    const known = knownTokens?.find(request, old, clock.now());
    if (known) return known;
    const lease = await fetchToken(request, tools).catch((error) => {
      const renews = old && !old.refused && !signal.aborted;
      if (renews) knownTokens?.missRenewal(error.message);
      throw error;
    });
    knownTokens?.note(request, lease, clock.now());
    return lease;
  }, clock);
}

async function fetchToken(
  request: TokenRequest,
  tools: TokenTools,
): Promise<Lease> {
  // From the send: the response may have been long on its way.
  const sentAt = tools.clock.now();
  const { token, expiresIn } = readToken(
    await ask(request, tools),
    request.tokenUrl,
  );
  tools.registerSecret(token);
  const life = expiresIn ?? Infinity;
  const passed = tools.clock.now() - sentAt;
  const left = (seconds: number) =>
    Math.max(seconds * 1_000 - passed, SHORTEST_USE * 1_000);
  return {
    token,
    renewInMs: left(life > EARLY ? life - EARLY : life / 2),
    endsInMs: left(life),
  };
}

/**
 * HTTP Basic first; a server that will not have it gets the credentials in the
 * form once (RFC 6749 section 2.3.1 allows both).
 */
async function ask(
  request: TokenRequest,
  tools: TokenTools,
): Promise<TokenEndpointResponse> {
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
  if (isSuccess(second.status)) return second;
  throw new TokenRefusal(
    `token endpoint \`${request.tokenUrl}\` must respond with status 200, but it responded with ${first.status}${
      reason(first.body)
    } to HTTP Basic and ${second.status}${
      reason(second.body)
    } to credentials in the form`,
    second,
  );
}

async function send(
  url: string,
  form: string,
  basic: string | undefined,
  { post }: TokenTools,
): Promise<TokenEndpointResponse> {
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
