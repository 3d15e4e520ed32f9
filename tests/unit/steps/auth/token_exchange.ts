import type { TokenEndpointResponse } from "../../../../lib/steps/auth/token_response.ts";

/** What a token is asked for with. */
export const REQUEST = {
  tokenUrl: "http://127.0.0.1/token",
  clientId: "app",
  clientSecret: "secret",
  scope: "",
};

/** A token endpoint's response that grants `token`. */
export function granted(
  token: string,
  more: Readonly<Record<string, unknown>> = {},
): TokenEndpointResponse {
  return {
    status: 200,
    body: JSON.stringify({
      access_token: token,
      token_type: "Bearer",
      ...more,
    }),
  };
}
