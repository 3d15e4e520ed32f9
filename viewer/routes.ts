import { configPage } from "./page/config_page.tsx";
import { failuresPage } from "./page/failures_page.tsx";
import { helpPage } from "./page/help_page.tsx";
import { brokenRunPage, errorPage } from "./page/layout.tsx";
import { runListPage } from "./page/run_list.tsx";
import { runPage } from "./page/run_page.tsx";
import { tracePage } from "./page/trace_page.tsx";
import { tracesPage } from "./page/traces_page.tsx";
import type {
  PageRequest,
  PageResponse,
  RunRequest,
} from "./page/page_request.ts";
import { comparePage } from "./page/compare_page.tsx";
import { flamePage } from "./page/flame_page.tsx";
import { flowPage } from "./page/flow_page.tsx";
import { withStoredTraces } from "./store/run_facts.ts";

type Page = (request: PageRequest) => PageResponse | Promise<PageResponse>;

/** The pages, by path; `:name` stands for one part of it. */
export const PAGES: Readonly<Record<string, Page>> = {
  "/": runListPage,
  "/help": helpPage,
  "/compare": comparePage,
  "/flows/:flow": flowPage,
  "/runs/:run": ofRun(runPage),
  "/runs/:run/traces": ofRun(tracesPage),
  "/runs/:run/traces/:trace": ofRun(tracePage),
  "/runs/:run/flame": ofRun(flamePage),
  "/runs/:run/failures": ofRun(failuresPage),
  "/runs/:run/config": ofRun(configPage),
};

/** A page over one run of the store, which must be in its listing. */
function ofRun(
  tab: (request: RunRequest) => PageResponse | Promise<PageResponse>,
): Page {
  return async (request) => {
    const id = request.params.run!;
    const listed = await request.index.find(id);
    if (!listed) {
      return errorPage(404, "No such run", `The store has no run ${id}.`);
    }
    const run = request.index.open(listed);
    if (!listed.meta) return brokenRunPage(listed, run);
    const meta = await withStoredTraces(listed.meta, run);
    return tab({ ...request, meta, run });
  };
}

/** A route that fits a path, with the parts it names. */
interface Match<T> {
  readonly value: T;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the route of a path, as sent: not decoded, without a query. */
type RouteTable<T> = (path: string) => Match<T> | undefined;

/**
 * Routes by their pattern: `/runs/:run`. A named part is decoded once; one that
 * then could be a path of its own (a slash, a backslash, NUL, a leading dot) fits
 * nothing.
 */
export function routeTable<T>(
  routes: Readonly<Record<string, T>>,
): RouteTable<T> {
  const compiled = Object.entries(routes).map(([pathname, value]) => ({
    pattern: new URLPattern({ pathname }),
    value,
  }));
  return (pathname) => {
    for (const { pattern, value } of compiled) {
      const groups = pattern.exec({ pathname })?.pathname.groups;
      const params = groups && decoded(groups);
      if (params) return { value, params };
    }
  };
}

function decoded(
  groups: Readonly<Record<string, string | undefined>>,
): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [name, part = ""] of Object.entries(groups)) {
    try {
      params[name] = decodeURIComponent(part);
    } catch {
      return;
    }
    // deno-lint-ignore no-control-regex
    if (/^\.|[/\\\u0000]/.test(params[name])) return;
  }
  return params;
}
