import type { RunMeta } from "../../lib/model/result/run.ts";
import { inBlocks } from "../export/blocks.ts";
import { EXPORTS } from "../export/exports.ts";
import type { PageRequest } from "../page/page_request.ts";
import type { RunDirectory } from "../store/run_directory.ts";
import { part, refuse } from "./json_response.ts";

/** The run in one of its forms, to take along; written while it is made. */
export async function exportResponse(
  { url, params }: PageRequest,
  meta: RunMeta,
  run: RunDirectory,
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
export function reportResponse(
  request: PageRequest,
  meta: RunMeta,
  run: RunDirectory,
): Promise<Response> {
  const params = { ...request.params, format: "html" };
  return exportResponse({ ...request, params }, meta, run);
}
