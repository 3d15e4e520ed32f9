import { Buffer } from "node:buffer";

/**
 * The bytes of an HTTP/1.1 response with a Content-Length, as text of one byte a
 * character. A body that is not a string is sent as JSON; headers come in the
 * given order.
 */
export function rawResponse(
  status: number,
  body: unknown = {},
  headers: Readonly<Record<string, string>> = {},
): string {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const bytes = new TextEncoder().encode(text);
  const fields = {
    ...(typeof body === "string" ? {} : { "Content-Type": "application/json" }),
    ...headers,
    "Content-Length": String(bytes.length),
  };
  const head = Object.entries(fields).map(([name, value]) =>
    `${name}: ${value}\r\n`
  );
  return `HTTP/1.1 ${status} ${REASONS[status] ?? "Reason"}\r\n${
    head.join("")
  }\r\n${Buffer.from(bytes).toString("latin1")}`;
}

const REASONS: Readonly<Record<number, string>> = {
  200: "OK",
  201: "Created",
  302: "Found",
  401: "Unauthorized",
  404: "Not Found",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
};
