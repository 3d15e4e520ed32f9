import { API } from "./api/routes.ts";
import { refuse } from "./api/responses.ts";
import { assetResponse, ASSETS } from "./client/assets.ts";
import { PAGES, routeTable } from "./routes.ts";
import { errorPage, layout } from "./page/layout.tsx";
import type { PageRequest, PageResponse } from "./page/page_request.ts";
import { StoreError } from "../lib/results/store/layout.ts";
import type { StoreIndex } from "./store/store_index.ts";
import type { Clock } from "../lib/base/time/clock.ts";
import type { Hosts } from "../lib/base/values/loopback.ts";
import { createHash } from "node:crypto";

/** The store that is served, and how. */
interface Site {
  readonly index: StoreIndex;
  readonly clock: Clock;
  /** Values of `Host` that mean this server. */
  readonly hosts: Hosts;
}

/**
 * Responds to one request; never throws. The response to HEAD is that to GET: the server
 * leaves its body out, and says how long it is (RFC 9110 section 8.6).
 */
export async function respond(request: Request, site: Site): Promise<Response> {
  const response = await withTag(request, await unsealed(request, site));
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
    response.headers.set(name, value);
  }
  if (!response.headers.has("cache-control")) {
    response.headers.set("cache-control", "no-store");
  }
  return response;
}

async function unsealed(request: Request, site: Site): Promise<Response> {
  const refusal = refusalOf(request, site.hosts);
  if (refusal) {
    return new Response(`${refusal.message}\n`, {
      status: refusal.status,
      headers: {
        "content-type": "text/plain; charset=utf-8",
        ...refusal.headers,
      },
    });
  }
  const url = new URL(request.url);
  const api = url.pathname.startsWith("/api/");
  try {
    return assetResponse(url.pathname) ?? await routed(url, site);
  } catch (error) {
    const message = error instanceof StoreError
      ? error.message
      : `this is a bug of bench, please report it: ${(error as Error).message}`;
    return api
      ? refuse(500, "unreadable", message)
      : pageResponse(errorPage(500, "Not readable", message));
  }
}

const apiRoute = routeTable(API);
const pageRoute = routeTable(PAGES);

async function routed(
  url: URL,
  { index, clock }: Site,
): Promise<Response> {
  const request = (params: PageRequest["params"]): PageRequest => ({
    url,
    params,
    index,
    clock,
  });
  const api = apiRoute(url.pathname);
  if (api) return api.value(request(api.params));
  const page = pageRoute(url.pathname);
  if (page) return pageResponse(await page.value(request(page.params)));
  if (url.pathname.startsWith("/api/")) {
    return refuse(404, "not-found", `there is nothing at \`${url.pathname}\``);
  }
  const canonical = url.pathname.replace(/\/$/, "");
  if (canonical === "/runs") return redirect("/", url);
  if (pageRoute(canonical)) return redirect(canonical, url);
  return pageResponse(
    errorPage(404, "Not found", `There is nothing at ${url.pathname}.`),
  );
}

function redirect(path: string, { search }: URL): Response {
  return new Response(null, {
    status: 308,
    headers: { location: path + search },
  });
}

function pageResponse(page: PageResponse): Response {
  return new Response(layout(page, ASSETS), {
    status: page.status ?? 200,
    headers: { "content-type": "text/html; charset=utf-8" },
  });
}

/**
 * Gives a response its ETag, and turns it into a 304 when the reader has it
 * already. What is streamed, refused, or a file to take along is left as it is.
 *
 * The tag is of what is said, and not of the files behind it: a page also
 * depends on the listing, and a response that did not change is never sent twice.
 */
async function withTag(
  request: Request,
  response: Response,
): Promise<Response> {
  const { headers } = response;
  const type = headers.get("content-type") ?? "";
  if (
    response.status !== 200 || headers.has("content-disposition") ||
    !/^(?:text\/html|application\/json)\b/.test(type)
  ) return response;
  const text = await response.text();
  // Weak: on its way the response may be compressed.
  const tag = `W/"${
    createHash("sha256").update(text).digest("base64url").slice(0, 22)
  }"`;
  headers.set("etag", tag);
  if (!knows(request.headers.get("if-none-match"), tag)) {
    return new Response(text, response);
  }
  headers.delete("content-type");
  return new Response(null, { status: 304, headers });
}

/** RFC 9110 section 13.1.2: any of a list, compared weakly. */
function knows(list: string | null, tag: string): boolean {
  if (list === null) return false;
  const opaque = (each: string) => each.trim().replace(/^W\//, "");
  return list.trim() === "*" ||
    list.split(",").some((each) => opaque(each) === opaque(tag));
}

/*
 * Any page in the reader's browser can send requests to a server on loopback. So a
 * request must name this server, and come from this server's own pages.
 */

/** Sent with every response. */
const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy":
    "camera=(), display-capture=(), geolocation=(), microphone=(), usb=()",
};

/** Why a request is refused. */
interface Refusal {
  readonly status: 403 | 405 | 421;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Why a request is refused; undefined when it is not. */
function refusalOf(
  request: Request,
  hosts: Hosts,
): Refusal | undefined {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return {
      status: 405,
      message: `\`${request.method}\` is refused: this server only shows runs`,
      headers: { allow: "GET, HEAD" },
    };
  }
  const host = request.headers.get("host")?.toLowerCase();
  if (host === undefined || !hosts.has(host)) {
    return {
      status: 421,
      message: `\`${host ?? ""}\` is not this server`,
    };
  }
  const site = request.headers.get("sec-fetch-site");
  const navigation = request.headers.get("sec-fetch-mode") === "navigate";
  if (site === "cross-site" && !navigation) {
    return { status: 403, message: "another site may not read runs" };
  }
}
