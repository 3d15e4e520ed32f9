import { API } from "./api/routes.ts";
import { assetAnswer, ASSETS } from "./assets.ts";
import { matchPath } from "./path_match.ts";
import { withTag } from "./etag.ts";
import { layout } from "./page/layout.tsx";
import { problemPage } from "./page/problem_page.tsx";
import type { PageAnswer, Visit } from "./page/visit.ts";
import { StoreError } from "../lib/results/store/store_error.ts";
import { PAGES } from "./routes.ts";
import { refusalOf, SECURITY_HEADERS } from "./security.ts";
import type { Shelf } from "./store/shelf.ts";
import type { Clock } from "../lib/base/time/clock.ts";

/** What every answer is made from. */
export interface Site {
  readonly shelf: Shelf;
  readonly clock: Clock;
  /** Values of `Host` that mean this server. */
  readonly hosts: ReadonlySet<string>;
}

/** Answers one request; never throws. */
export async function answer(request: Request, site: Site): Promise<Response> {
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
    return assetAnswer(url.pathname) ?? await routed(url, site);
  } catch (error) {
    const message = error instanceof StoreError
      ? error.message
      : `this is a fault of bench, please report it: ${
        (error as Error).message
      }`;
    return api
      ? Response.json({ error: { code: "unreadable", message } }, {
        status: 500,
      })
      : pageResponse(problemPage(500, "Not readable", message));
  }
}

async function routed(
  url: URL,
  { shelf, clock }: Site,
): Promise<Response> {
  const visit = (params: Visit["params"]): Visit => ({
    url,
    params,
    shelf,
    clock,
  });
  const api = matchPath(API, url.pathname);
  if (api) return api.value(visit(api.params));
  const page = matchPath(PAGES, url.pathname);
  if (page) return pageResponse(await page.value(visit(page.params)));
  if (url.pathname.startsWith("/api/")) {
    const message = `there is nothing at \`${url.pathname}\``;
    return Response.json({ error: { code: "not-found", message } }, {
      status: 404,
    });
  }
  return pageResponse(
    problemPage(404, "Not found", `There is nothing at ${url.pathname}.`),
  );
}

function pageResponse(page: PageAnswer): Response {
  return new Response(layout(page, ASSETS), {
    status: page.status ?? 200,
    headers: { "content-type": "text/html; charset=utf-8" },
  });
}
