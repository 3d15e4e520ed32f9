import { API } from "./api/routes.ts";
import { refuse } from "./api/json_response.ts";
import { assetResponse, ASSETS } from "./client/assets.ts";
import { routeTable } from "./route_match.ts";
import { withTag } from "./etag.ts";
import { layout } from "./page/layout.tsx";
import { errorPage } from "./page/error_page.tsx";
import type { PageRequest, PageResponse } from "./page/page_request.ts";
import { StoreError } from "../lib/results/store/store_error.ts";
import { PAGES } from "./routes.ts";
import { refusalOf, SECURITY_HEADERS } from "./security.ts";
import type { StoreIndex } from "./store/store_index.ts";
import type { Clock } from "../lib/base/time/clock.ts";

/** What every response is made from. */
interface Site {
  readonly index: StoreIndex;
  readonly clock: Clock;
  /** Values of `Host` that mean this server. */
  readonly hosts: ReadonlySet<string>;
}

/** Responds to one request; never throws. */
export async function respond(request: Request, site: Site): Promise<Response> {
  const response = await withTag(request, await unsealed(request, site));
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
    response.headers.set(name, value);
  }
  if (!response.headers.has("cache-control")) {
    response.headers.set("cache-control", "no-store");
  }
  if (request.method !== "HEAD") return response;
  await response.body?.cancel();
  return new Response(null, response);
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
  return pageResponse(
    errorPage(404, "Not found", `There is nothing at ${url.pathname}.`),
  );
}

function pageResponse(page: PageResponse): Response {
  return new Response(layout(page, ASSETS), {
    status: page.status ?? 200,
    headers: { "content-type": "text/html; charset=utf-8" },
  });
}
