import { configPage } from "./page/config_page.tsx";
import { failuresPage } from "./page/failures_page.tsx";
import { helpPage } from "./page/help_page.tsx";
import { brokenRunPage, errorPage } from "./page/error_page.tsx";
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
    return listed.meta
      ? tab({ ...request, meta: listed.meta, run })
      : brokenRunPage(listed, run);
  };
}
