import {
  jsonResponse,
  numberIn,
  refuse,
  type RequestContext,
  type Routes,
} from "./route.ts";
import { BoundedMap } from "./shop.ts";

/** Longest response of `/slow`, in milliseconds. */
const SLOWEST = 60_000;

interface Bucket {
  tokens: number;
  /** Milliseconds on the clock at which `tokens` was right. */
  at: number;
}

/**
 * Responses that are limited, failing or slow.
 *
 * - `GET /limited?rate=n`: `n` requests a second (1 by default) for each
 *   caller, identified by the `Authorization` field or `key`. The bucket starts empty:
 *   a caller's first request is always throttled.
 * - `GET /flaky?key=k&fail=n`: 503 `n` times (2 by default), then 200, then
 *   from the start.
 * - `GET /slow?ms=n`: responds after `n` milliseconds (100 by default). With `most=k` no
 *   more than `k` such requests wait at once: one more is throttled.
 */
export function degradedRoutes(): Routes {
  const buckets = new BoundedMap<Bucket>(10_000);
  const failures = new BoundedMap<number>(10_000);
  let waiting = 0;
  return {
    "GET /limited": (context) => {
      const { query, request } = context;
      const rate = numberIn(query, "rate", 1);
      if (!(rate > 0)) return refuse(400, "`rate` must be a number above 0");
      const caller = request.headers.get("authorization") ??
        new URLSearchParams(query).get("key") ?? "";
      return limited(`${rate} ${caller}`, rate, buckets, context);
    },
    "GET /flaky": ({ query }) => {
      const times = numberIn(query, "fail", 2);
      const key = new URLSearchParams(query).get("key") ?? "";
      const failed = failures.get(key) ?? 0;
      if (failed < times) {
        failures.set(key, failed + 1);
        return refuse(503, "not yet");
      }
      failures.delete(key);
      return jsonResponse(200, { ok: true, failed });
    },
    "GET /slow": async ({ query, clock }) => {
      const ms = numberIn(query, "ms", 100);
      if (!(ms >= 0 && ms <= SLOWEST)) {
        return refuse(400, `\`ms\` must be a number from 0 to ${SLOWEST}`);
      }
      const most = numberIn(query, "most", Infinity);
      if (!(most > 0)) return refuse(400, "`most` must be a number above 0");
      if (waiting >= most) return refuse(429, "too many requests at once");
      const counts = most < Infinity ? 1 : 0;
      waiting += counts;
      await clock.sleep(ms);
      waiting -= counts;
      return jsonResponse(200, { ms });
    },
  };
}

function limited(
  key: string,
  rate: number,
  buckets: BoundedMap<Bucket>,
  { clock }: RequestContext,
): Response {
  const now = clock.now();
  const bucket = buckets.get(key) ?? { tokens: 0, at: now };
  buckets.set(key, bucket);
  bucket.tokens = Math.min(
    Math.max(rate, 1),
    bucket.tokens + (now - bucket.at) * rate / 1_000,
  );
  bucket.at = now;
  // A caller that waits exactly as long as it should must not fail by a rounding error.
  if (bucket.tokens < 0.99) {
    const wait = Math.ceil((1 - bucket.tokens) / rate);
    return refuse(429, "too many requests", { "retry-after": String(wait) });
  }
  bucket.tokens -= 1;
  return jsonResponse(200, { ok: true });
}
