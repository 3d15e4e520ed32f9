import { Refused } from "../../../lib/base/errors/bench_error.ts";
import type { Exchange } from "./har_file.ts";

/** What of a recording is the journey, and what is not. */
interface Journey {
  readonly exchanges: readonly Exchange[];
  /** What was left out, in words. */
  readonly leftOut: readonly string[];
}

const STATIC_RESOURCE =
  /^(?:stylesheet|script|image|imageset|font|media|manifest|texttrack|ping|preflight|websocket|eventsource|beacon|csp-violation-report)$/;
const STATIC_TYPE =
  /^(?:text\/css|(?:text|application)\/(?:x-)?javascript|image\/.*|font\/.*|audio\/.*|video\/.*|application\/(?:wasm|font-.*|x-font-.*|vnd\.ms-fontobject|manifest\+json))$/;
const STATIC_PATH =
  /\.(?:css|m?js|map|png|jpe?g|gif|svg|ico|webp|avif|woff2?|ttf|otf|eot|mp[34]|webm|wasm|webmanifest)$/i;

/**
 * The requests that are the user's: of the site whose page was opened,
 * without static files, checks of browsers (CORS) and what was cut off.
 */
export function journeyOf(all: readonly Exchange[]): Journey {
  const site = mainSite(all);
  const strangers = new Map<string, number>();
  let statics = 0;
  let preflights = 0;
  let broken = 0;
  const exchanges = all.filter((each) => {
    if (siteOf(each.url.hostname) !== site) {
      const { hostname } = each.url;
      strangers.set(hostname, (strangers.get(hostname) ?? 0) + 1);
      return false;
    }
    if (isPreflight(each)) preflights++;
    else if (isStatic(each)) statics++;
    else if (each.status === 0) broken++;
    else return true;
    return false;
  });
  const hosts = [...strangers].map(([host, count]) => `${host} (${count})`);
  return {
    exchanges,
    leftOut: [
      ...statics > 0 ? [`left out: ${counted(statics, "static file")}`] : [],
      ...hosts.length > 0
        ? [`left out: requests to other sites: ${hosts.join(", ")}`]
        : [],
      ...preflights > 0
        ? [`left out: ${counted(preflights, "CORS preflight")}`]
        : [],
      ...broken > 0
        ? [`left out: ${counted(broken, "request")} without a response`]
        : [],
    ],
  };
}

/** Of the first page; without one, of most requests that are no static files. */
function mainSite(all: readonly Exchange[]): string {
  const page = all.find(({ resource, status }) =>
    resource === "document" && status > 0
  );
  if (page) return siteOf(page.url.hostname);
  const dynamic = all.filter((each) => !isStatic(each));
  const counts = new Map<string, number>();
  for (const { url } of dynamic.length > 0 ? dynamic : all) {
    const site = siteOf(url.hostname);
    counts.set(site, (counts.get(site) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  if (!most) throw new Refused("there is no request in the recording");
  return most[0];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function isPreflight({ method, headers }: Exchange): boolean {
  return method === "OPTIONS" &&
    headers.some(([name]) => /^access-control-request-method$/i.test(name));
}

function isStatic({ method, url, resource, responseType }: Exchange): boolean {
  if (method !== "GET" && method !== "HEAD") return resource === "ping";
  return STATIC_RESOURCE.test(resource) || STATIC_TYPE.test(responseType) ||
    STATIC_PATH.test(url.pathname);
}

/** `api.shop.example.co.uk` and `www.example.co.uk` are one site. */
function siteOf(host: string): string {
  if (/^[\d.]+$|^\[/.test(host)) return host;
  const labels = host.split(".");
  const [second = "", top = ""] = labels.slice(-2);
  const underCountry = top.length === 2 && second.length <= 3;
  return labels.slice(underCountry ? -3 : -2).join(".");
}
