import { createHash } from "node:crypto";

/**
 * Gives a response its ETag, and turns it into a 304 when the reader has it
 * already. What is streamed, refused, or a file to take along is left as it is.
 *
 * The tag is of what is said, and not of the files behind it: a page also
 * depends on the listing, and a response that did not change is never sent twice.
 */
export async function withTag(
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
