import {
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../lib/base/values/json.ts";

/** A JSON response. */
export function jsonResponse(
  status: number,
  value: JsonValue,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json(value, { status, headers });
}

/** An error response: `{"error": ...}`. */
export function refuse(
  status: number,
  error: string,
  headers?: Readonly<Record<string, string>>,
): Response {
  return jsonResponse(status, { error }, headers);
}

/** The request's body as a JSON object; undefined when it is not one. */
export async function readObject(
  request: Request,
): Promise<JsonObject | undefined> {
  try {
    const value: unknown = await request.json();
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
