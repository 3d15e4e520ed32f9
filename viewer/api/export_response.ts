import { EXPORTS, inBlocks } from "../export/exports.ts";
import { FORMATS, NAMED_FORMATS } from "../model/formats.ts";
import type { RunRequest } from "../page/page_request.ts";
import { type Part, readable } from "../store/run_directory.ts";
import { part, refuse } from "./json_response.ts";

/** The run in one of its forms, to take along; written while it is made. */
export async function exportResponse(
  { url, params, meta, run }: RunRequest,
): Promise<Response> {
  const found = NAMED_FORMATS.find(([name]) => name === params.format);
  if (!found) {
    const known = Object.keys(FORMATS).join(", ");
    return refuse(404, "not-found", `a run can be had as ${known}`);
  }
  const [format, { type, ending, suffix = ending }] = found;
  const make = EXPORTS[format];
  const options = {
    query: url.searchParams,
    payloads: url.searchParams.get("payloads") !== "no",
  };
  const made = await make(meta, run, options);
  if (!made.value) return part(made);
  const tried = await wholeOf(inBlocks(made.value));
  if (tried.error !== undefined) return part(tried);
  const pieces = tried.value ??
    inBlocks((await make(meta, run, options)).value ?? []);
  const name = `${meta.id.replaceAll(/[^\w.-]/g, "_")}${suffix}`;
  const body = ReadableStream.from(pieces).pipeThrough(new TextEncoderStream());
  return new Response(body, {
    headers: {
      "content-type": type,
      "content-disposition": `attachment; filename="${name}"`,
    },
  });
}

/** Characters of an export that are held until all of it is made. */
const MOST_HELD = 8 * 1024 * 1024;

/**
 * Makes an export to its end before anything of it is sent: a trace that cannot be
 * read would break a response that began with 200. Gives the text of a short one,
 * and nothing of a long one, which has to be made again.
 */
async function wholeOf(
  pieces: AsyncIterable<string>,
): Promise<Part<readonly string[]>> {
  const held: string[] = [];
  let length = 0;
  return await readable(async () => {
    for await (const piece of pieces) {
      length += piece.length;
      if (length <= MOST_HELD) held.push(piece);
    }
    return length <= MOST_HELD ? held : undefined;
  });
}

/** The report file, under the name that pages link to. */
export function reportResponse(request: RunRequest): Promise<Response> {
  return exportResponse({ ...request, params: { format: "html" } });
}
