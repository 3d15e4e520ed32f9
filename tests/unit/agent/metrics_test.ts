import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { metricsHandler } from "../../../agent/metrics.ts";
import { READING as WHOLE } from "../../support/agent_reading.ts";

const READING = { ...WHOLE, cpu_seconds_total: 2.5, cpu_cores: 2 };

/** Asks an agent on Linux; `path` is that of the readings. */
function ask(
  { path = "/metrics", method = "GET", headers = {} }: {
    path?: string;
    method?: string;
    headers?: Record<string, string>;
  } = {},
  options: Partial<Parameters<typeof metricsHandler>[0]> = {},
): Response {
  const handler = metricsHandler({
    os: "linux",
    read: () => READING,
    ...options,
  });
  return handler(new Request(`http://agent${path}`, { method, headers }));
}

Deno.test("metricsHandler: the reading as JSON, with exactly these keys", async () => {
  const response = ask();
  strictEqual(response.status, 200);
  match(response.headers.get("content-type")!, /^application\/json/);
  strictEqual(response.headers.get("cache-control"), "no-store");
  deepStrictEqual(
    Object.entries(await response.json()),
    Object.entries(READING),
  );
});

Deno.test("metricsHandler: the text exposition format when it is asked for", async () => {
  const response = ask({ headers: { accept: "text/plain" } });
  strictEqual(
    response.headers.get("content-type"),
    "text/plain; version=0.0.4; charset=utf-8",
  );
  const text = await response.text();
  match(
    text,
    /^# HELP bench_agent_cpu_seconds_total .+\n# TYPE bench_agent_cpu_seconds_total counter\nbench_agent_cpu_seconds_total 2\.5\n/,
  );
  strictEqual(text.match(/^bench_agent_\w+ [\d.]+$/gm)?.length, 8);
  strictEqual(text.endsWith("\n"), true);
});

Deno.test("metricsHandler: what is unknown is null in JSON and left out of the text", async () => {
  const options = { read: () => ({ ...READING, load1: null }) };
  strictEqual((await ask({}, options).json()).load1, null);
  const text = await ask({ headers: { accept: "text/plain" } }, options).text();
  strictEqual(text.includes("load1"), false);
});

Deno.test("metricsHandler: every other path is 404, token or not", () => {
  for (const path of ["/", "/metric", "/metrics/", "/metrics/x", "/METRICS"]) {
    strictEqual(ask({ path }).status, 404, path);
    strictEqual(ask({ path }, { token: "t" }).status, 404, path);
  }
  strictEqual(ask({ path: "/metrics?x=1" }).status, 200);
});

Deno.test("metricsHandler: only GET and HEAD", () => {
  const response = ask({ method: "POST" });
  strictEqual(response.status, 405);
  strictEqual(response.headers.get("allow"), "GET, HEAD");
  strictEqual(ask({ method: "HEAD" }).status, 200);
});

Deno.test("metricsHandler: a token is required when there is one", async () => {
  const token = "s3cret";
  const status = (authorization?: string) =>
    ask({ headers: authorization ? { authorization } : {} }, { token }).status;
  const rows: [string | undefined, number][] = [
    ["Bearer s3cret", 200],
    ["bearer s3cret", 200],
    ["BEARER  s3cret", 200],
    [undefined, 401],
    ["Bearer s3cre", 401],
    ["Bearer s3crets", 401],
    ["bearer-s3cret", 401],
    ["Basic s3cret", 401],
  ];
  for (const [given, expected] of rows) {
    strictEqual(status(given), expected, String(given));
  }
  const refused = ask({}, { token });
  strictEqual(refused.headers.get("www-authenticate"), "Bearer");
  strictEqual((await refused.text()).includes(token), false);
});

Deno.test("metricsHandler: 501 off Linux, with the reason, and nothing is read", async () => {
  const response = ask({}, {
    os: "darwin",
    read: () => {
      throw new Error("read");
    },
  });
  strictEqual(response.status, 501);
  match((await response.json()).error, /runs darwin/);
});

Deno.test("metricsHandler: a machine that cannot be read is 500 with the reason", async () => {
  const response = ask({}, {
    read: () => {
      throw new Error("nothing under `/proc`");
    },
  });
  strictEqual(response.status, 500);
  deepStrictEqual(await response.json(), { error: "nothing under `/proc`" });
});
