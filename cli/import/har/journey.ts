import { Refused } from "../../../lib/base/errors/bench_error.ts";
import { byNumber } from "../draft/assemble.ts";
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
  const { exchanges = [], other = [], ...groups } = Object.groupBy(
    all,
    (each) => {
      if (siteOf(each.url.hostname) !== site) return "other";
      if (isPreflight(each)) return "preflights";
      if (isStatic(each)) return "statics";
      if (!/^[A-Z]+$/.test(each.method)) return "odd";
      return each.status === 0 ? "broken" : "exchanges";
    },
  );
  const hosts = [...Map.groupBy(other, ({ url }) => url.hostname)]
    .map(([host, { length }]) => `${host} (${length})`).join(", ");
  return {
    exchanges,
    leftOut: [
      ...counted(groups.statics, "static file"),
      ...hosts === "" ? [] : [`left out: requests to other sites: ${hosts}`],
      ...counted(groups.preflights, "CORS preflight"),
      ...counted(groups.broken, "request", " without a response"),
      ...counted(groups.odd, "request", " with a method that no flow has"),
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
  const [most] = byNumber(
    (dynamic.length > 0 ? dynamic : all).map(({ url }) => siteOf(url.hostname)),
  );
  if (most) return most;
  throw new Refused("there is no request in the recording");
}

function counted(
  { length }: readonly Exchange[] = [],
  what: string,
  how = "",
): string[] {
  const ending = length === 1 ? "" : "s";
  return length > 0 ? [`left out: ${length} ${what}${ending}${how}`] : [];
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
