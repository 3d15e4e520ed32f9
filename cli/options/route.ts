import { isIP } from "node:net";
import type { RouteOptions } from "../../lib/run.ts";
import { refusal } from "../../lib/base/text/diagnostic.ts";
import type { FlagsOf } from "./option.ts";
import type { ROUTE } from "./shared_options.ts";

/** What the flags say, and what the run's record should say of them. */
interface RouteChoice {
  readonly route?: RouteOptions;
  readonly notes: readonly string[];
}

/**
 * Reads `--resolve` and `--proxy`.
 *
 * @throws {InputError} for a flag that does not say what it has to
 */
export function readRoute(
  { resolve = [], proxy }: FlagsOf<typeof ROUTE>,
): RouteChoice {
  if (resolve.length === 0 && proxy === undefined) return { notes: [] };
  const pinned: Record<string, string[]> = {};
  for (const each of resolve) {
    const { authority, addresses } = readResolve(each);
    pinned[authority] = [...pinned[authority] ?? [], ...addresses];
  }
  const through = proxy === undefined ? undefined : readProxy(proxy);
  return {
    route: { resolve: pinned, ...(through && { proxy: through }) },
    notes: [
      ...Object.entries(pinned).map(([authority, addresses]) =>
        `${authority} was not looked up: connections went to ${
          addresses.join(", ")
        } (--resolve)`
      ),
      ...through
        ? [
          `connections went through the proxy ${through.host}:${through.port} (--proxy): its time is in the figures`,
        ]
        : [],
    ],
  };
}

const RESOLVE = /^([^\s:[\]]+):(\d{1,5}):(.+)$/;

function readResolve(text: string): { authority: string; addresses: string[] } {
  const [, host = "", port = "", list = ""] = RESOLVE.exec(text) ?? [];
  const addresses = list.split(",").map((each) =>
    each.trim().replace(/^\[(.*)\]$/, "$1")
  );
  if (
    host !== "" && addresses.every((each) => isIP(each) > 0) && isPort(port)
  ) {
    return { authority: `${host.toLowerCase()}:${Number(port)}`, addresses };
  }
  throw refusal(
    "--resolve",
    "resolve",
    `it must be host:port:address, but it is ${JSON.stringify(text)}`,
    "such as shop.example:443:10.0.0.7, or several addresses: shop.example:443:10.0.0.7,10.0.0.8",
  );
}

function isPort(text: string): boolean {
  return Number(text) >= 1 && Number(text) <= 65_535;
}

function readProxy(text: string): NonNullable<RouteOptions["proxy"]> {
  const url = URL.parse(text.includes("://") ? text : `http://${text}`);
  const pair = url ? userOf(url) : undefined;
  if (
    !url || pair === undefined || url.protocol !== "http:" ||
    url.pathname !== "/" || url.search
  ) {
    throw refusal(
      "--proxy",
      "proxy",
      "it must be http://host:port of a proxy that opens tunnels (CONNECT)",
      "such as http://127.0.0.1:3128, or http://user:password@127.0.0.1:3128, where `%` is written %25",
    );
  }
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(url.port) || 80,
    ...(pair !== ":" && {
      authorization: `Basic ${new TextEncoder().encode(pair).toBase64()}`,
      secrets: [pair, ...pair.split(/:(.*)/s, 2)],
    }),
  };
}

/** User and password of a URL; undefined when their percent-encoding is none. */
function userOf({ username, password }: URL): string | undefined {
  try {
    return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  } catch {
    return;
  }
}
