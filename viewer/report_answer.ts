import type { RunMeta } from "../lib/result/run.ts";
import type { Visit } from "./page/visit.ts";
import { reportHtml } from "./report_html.ts";
import type { OpenRun } from "./store/open_run.ts";

/** The run as one file to take along. */
export async function reportAnswer(
  _: Visit,
  meta: RunMeta,
  run: OpenRun,
): Promise<Response> {
  return new Response(await reportHtml(meta, run), {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-disposition": `attachment; filename="${
        meta.id.replaceAll(/[^\w.-]/g, "_")
      }.html"`,
    },
  });
}
