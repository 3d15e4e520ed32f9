import type { CapturedMessage } from "../../lib/result/reply.ts";
import { headerValue } from "../../lib/values/headers.ts";

/** Headers that curl writes by itself. */
const OWN = new Set(["host", "content-length", "connection"]);

/**
 * A captured request as a curl command for a POSIX shell. What was redacted
 * stays `[redacted]`. Undefined for a request that is not HTTP, or whose body
 * is not text as it was sent.
 *
 * @param secure whether its host was spoken to over TLS
 */
export function curlOf(
  request: CapturedMessage,
  secure: boolean,
): string | undefined {
  const match = /^([A-Z]+) (\S+) HTTP\/[\d.]+$/.exec(request.line);
  const host = headerValue(request.headers, "host");
  if (!match || host === undefined) return;
  if (request.body_encoding === "base64" || request.body_truncated) return;
  const [, method, path] = match;
  const url = `${secure ? "https" : "http"}://${host}${path}`;
  const parts = [
    method === "GET" ? "curl" : `curl -X ${method}`,
    quoted(url),
    ...request.headers.filter(([name]) => !OWN.has(name.toLowerCase()))
      .map(([name, value]) =>
        `-H ${quoted(value === "" ? `${name};` : `${name}: ${value}`)}`
      ),
    ...(request.body === undefined
      ? []
      : [`--data-raw ${quoted(request.body)}`]),
  ];
  return parts.join(" \\\n  ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
