import type { Part } from "../store/run_directory.ts";

/** A JSON response. */
export function json(value: unknown, status = 200): Response {
  return Response.json(value, { status });
}

/** JSON that is text already, as it is stored. */
export function jsonText(text: string): Response {
  return new Response(text, {
    headers: { "content-type": "application/json" },
  });
}

/** An error in JSON. */
export function refuse(
  status: number,
  code: string,
  message: string,
): Response {
  return json({ error: { code, message } }, status);
}

/** A part of a run as `shape` gives it, or why there is none. */
export function part<T>(
  { value, error }: Part<T>,
  shape = (v: T): unknown => v,
): Response {
  if (error !== undefined) return refuse(500, "unreadable", error);
  return value === undefined
    ? refuse(404, "not-found", "the run has no such file or entry")
    : json(shape(value));
}
