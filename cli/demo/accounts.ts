import { createHash } from "node:crypto";

/** Passwords by user name: the rows of `examples/data/users.csv`. */
export const USERS: Readonly<Record<string, string>> = {
  ada: "analytical-engine",
  grace: "nanosecond-wire",
  katherine: "orbit-go",
};

/** What the examples of the auth schemes send; no secret of anybody. */
export const DEMO_CREDENTIALS = {
  token: "demo-token",
  username: "demo",
  password: "demo-password",
  apiKey: "demo-api-key",
  session: "demo-session",
  clientId: "demo-client",
  clientSecret: "demo-client-secret",
  hmacKeyId: "demo-key",
  hmacSecret: "demo-hmac-secret",
} as const;

/** The token of a user: the same at every login, so that no table grows. */
export function tokenOf(user: string): string {
  return createHash("sha256").update(`bench demo ${user}`).digest("hex")
    .slice(0, 32);
}

const BEARERS: ReadonlyMap<string, string> = new Map([
  ...Object.keys(USERS).map((user) =>
    [`Bearer ${tokenOf(user)}`, user] as const
  ),
  [`Bearer ${DEMO_CREDENTIALS.token}`, "demo"],
  [`Bearer ${tokenOf(DEMO_CREDENTIALS.clientId)}`, DEMO_CREDENTIALS.clientId],
]);

/** Who a request is from, by its bearer token. */
export function userOf(request: Request): string | undefined {
  return BEARERS.get(request.headers.get("authorization") ?? "");
}
