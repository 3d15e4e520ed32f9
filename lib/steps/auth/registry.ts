import { apiKey } from "./api_key.ts";
import { basic } from "./basic.ts";
import { bearer } from "./bearer.ts";
import { cookie } from "./cookie.ts";
import { hmac } from "./hmac.ts";
import { none } from "./none.ts";
import { oauth2 } from "./oauth2.ts";
import type { Scheme } from "./scheme.ts";

const all: readonly Scheme[] = [
  none,
  bearer,
  basic,
  apiKey,
  cookie,
  oauth2,
  hmac,
];

/** Every auth scheme by the word in `scheme`. A new one is a line above. */
export const schemes: ReadonlyMap<string, Scheme> = new Map(
  all.map((scheme) => [scheme.name, scheme]),
);
