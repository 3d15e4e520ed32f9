import type { Span } from "../../lib/result/trace.ts";
import { headerValue } from "../../lib/values/headers.ts";

/** Values of `Host` that these spans show to have been spoken to over TLS. */
export function hostsWithTls(spans: readonly Span[]): string[] {
  const calls = new Set(
    spans.filter((span) => span.name === "tls").map((span) => span.parent_id),
  );
  if (calls.size === 0) return [];
  return spans.filter((span) => calls.has(span.span_id)).flatMap((span) => {
    const host = span.request && headerValue(span.request.headers, "host");
    return host === undefined ? [] : [host];
  });
}
