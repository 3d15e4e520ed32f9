import type { CapturedMessage } from "../../lib/model/result/response.ts";

/** Headers that curl writes by itself. */
const OWN = new Set(["host", "content-length", "connection"]);

/**
 * A captured request as a curl command for a POSIX shell. What was redacted
 * stays `[redacted]`. Undefined for a request that is not HTTP, or whose body
 * is not text as it was sent.
 *
 * @param origin where it went, such as `https://host:8443`
 */
export function curlOf(
  request: CapturedMessage,
  origin: string,
): string | undefined {
  // The body of a gRPC call is kept as JSON, and not as it was sent.
  const match = /^([A-Z]+) (\S+) HTTP\/1\.\d$/.exec(request.line);
  if (!match) return;
  if (request.body_encoding === "base64" || request.body_truncated) return;
  if (request.headers_truncated) return;
  if (request.body === undefined && request.body_bytes) return;
  const [, method, path] = match;
  const parts = [
    method === "GET" ? "curl" : `curl -X ${method}`,
    quoted(origin + path),
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
