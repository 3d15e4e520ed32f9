import type { RunMeta } from "../../lib/model/result/run.ts";
import { inBlocks } from "../export/blocks.ts";
import { EXPORTS } from "../export/exports.ts";
import type { Visit } from "../page/visit.ts";
import type { OpenRun } from "../store/open_run.ts";
import { part, refuse } from "./json_answer.ts";

/** The run in one of its forms, to take along; written while it is made. */
export async function exportAnswer(
  { url, params }: Visit,
  meta: RunMeta,
  run: OpenRun,
): Promise<Response> {
  const format = params.format!;
  if (!Object.hasOwn(EXPORTS, format)) {
    const known = Object.keys(EXPORTS).join(", ");
    return refuse(404, "not-found", `a run can be had as ${known}`);
  }
  const { type, suffix, make } = EXPORTS[format]!;
  const made = await make(meta, run, {
    query: url.searchParams,
    payloads: url.searchParams.get("payloads") !== "no",
  });
  if (!made.value) return part(made);
  const pieces = ReadableStream.from(inBlocks(made.value));
  const name = `${meta.id.replaceAll(/[^\w.-]/g, "_")}${suffix}`;
  return new Response(pieces.pipeThrough(new TextEncoderStream()), {
    headers: {
      "content-type": type,
      "content-disposition": `attachment; filename="${name}"`,
    },
  });
}

/** The report file, under the name that pages link to. */
export function reportAnswer(
  visit: Visit,
  meta: RunMeta,
  run: OpenRun,
): Promise<Response> {
  const params = { ...visit.params, format: "html" };
  return exportAnswer({ ...visit, params }, meta, run);
}
