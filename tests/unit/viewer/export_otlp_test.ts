import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { workspace } from "../../support/bench.ts";
import { asker, putRun } from "../../support/viewer_fixture.ts";
import { FILES, ID, META } from "./exported_run.ts";

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string }[];
  readonly status?: { readonly code: number; readonly message?: string };
}

async function exported(search = "") {
  using folder = workspace({});
  putRun(folder.path, META, FILES);
  const response = await asker(folder.path)(
    `/runs/${ID}/export/otlp${search}`,
  );
  equal(response.status, 200);
  const { resourceSpans: [resource] } = await response.json();
  const [{ scope, spans }] = resource.scopeSpans;
  return { resource: resource.resource, scope, spans: spans as OtlpSpan[] };
}

Deno.test("otlp: every kept span, under one span an iteration, as the protocol's JSON has it", async () => {
  const { resource, scope, spans } = await exported();
  equal(scope.name, "bench");
  ok(
    resource.attributes.some((each: { key: string }) =>
      each.key === "service.name"
    ),
  );
  const roots = spans.filter((each) => each.parentSpanId === undefined);
  equal(roots.length, 3);
  deepStrictEqual(
    new Set(roots.map((each) => each.name)),
    new Set(["iteration"]),
  );
  const ids = new Set(spans.map((each) => `${each.traceId} ${each.spanId}`));
  equal(ids.size, spans.length, "no two have the same id");
  for (const each of spans) {
    match(each.traceId, /^[0-9a-f]{32}$/);
    match(each.startTimeUnixNano, /^\d{19}$/);
    ok(BigInt(each.endTimeUnixNano) >= BigInt(each.startTimeUnixNano));
    const { parentSpanId } = each;
    if (parentSpanId) ok(ids.has(`${each.traceId} ${parentSpanId}`), each.name);
  }
  const start = BigInt(Date.parse(META.started_at)) * 1_000_000n;
  ok(spans.every((each) => BigInt(each.startTimeUnixNano) >= start));
});

Deno.test("otlp: failures are errors with their type; exchanges are of a client", async () => {
  const { spans } = await exported("?outcome=failed");
  const failed = spans.filter((each) => each.status?.code === 2);
  ok(failed.length > 1);
  ok(
    failed.some((each) =>
      each.status!.message &&
      each.attributes.some(({ key }) => key === "error.type")
    ),
  );
  const calls = spans.filter((each) => each.kind === 3);
  ok(calls.length > 0);
  const keys = new Set(
    calls.flatMap((each) => each.attributes.map(({ key }) => key)),
  );
  deepStrictEqual(
    ["http.request.method", "http.response.status_code", "url.full"]
      .filter((key) => !keys.has(key)),
    [],
    [...keys].join(),
  );
});
