import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { workspace } from "../../support/bench.ts";
import { asker, metaOf, putRun } from "../../support/viewer_fixture.ts";

const ID = metaOf().id;
const TABS = ["", "/traces", "/flame", "/failures", "/config"];

/** A trace whose every text tries to be markup. */
const EVIL = `"><script>alert(1)</script><img src=x onerror=alert(1)>`;
const TRACE = {
  trace_id: "00ff",
  iteration: 0,
  vu: 0,
  outcome: "failed",
  start_us: 0,
  duration_us: 1000,
  spans: [{
    span_id: "1",
    name: EVIL,
    start_us: 0,
    duration_us: 900,
    outcome: "failed",
    failure: { code: EVIL, message: EVIL },
    attributes: { [EVIL]: EVIL },
    request: {
      line: "POST /x HTTP/1.1",
      headers: [["Host", EVIL], [EVIL, EVIL]],
      body: EVIL,
    },
    response: { line: EVIL, headers: [], body: JSON.stringify({ a: EVIL }) },
  }],
};
const TRACES = `{"schema":1,"policy":"all","traces":[\n${
  JSON.stringify(TRACE)
}\n],"truncated":false}\n`;

Deno.test("response: only GET and HEAD, only under its own name, only from its own pages", async () => {
  using folder = workspace({});
  const ask = asker(folder.path);
  const cases: [string, number, RequestInit][] = [
    ["GET is served", 200, {}],
    ["HEAD is served", 200, { method: "HEAD" }],
    ["POST is refused", 405, { method: "POST" }],
    ["DELETE is refused", 405, { method: "DELETE" }],
    ["OPTIONS is refused", 405, { method: "OPTIONS" }],
    ["localhost is a name of it", 200, { headers: { host: "localhost:7878" } }],
    ["IPv6 loopback too", 200, { headers: { host: "[::1]:7878" } }],
    ["another name is refused", 421, { headers: { host: "evil.test:7878" } }],
    ["another port is refused", 421, { headers: { host: "127.0.0.1:80" } }],
    ["a rebound name is refused", 421, {
      headers: { host: "127.0.0.1.evil.test:7878" },
    }],
    ["another site's script is refused", 403, {
      headers: { "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" },
    }],
    ["a link from another site is a link", 200, {
      headers: { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
    }],
  ];
  for (const [sentence, status, init] of cases) {
    for (const path of ["/", "/api/v1/runs"]) {
      const response = await ask(path, init);
      equal(response.status, status, `${sentence}: ${path}`);
      match(
        response.headers.get("content-security-policy")!,
        /default-src 'none'/,
      );
      await response.body?.cancel();
    }
  }
});

Deno.test("response: a viewer that other machines reach goes by every address of it, and by no name of a site", async () => {
  using folder = workspace({});
  for (const hostname of ["0.0.0.0", "::", "viewer.example"]) {
    const ask = asker(folder.path, hostname);
    const status = async (host: string) => {
      const response = await ask("/api/v1/runs", { headers: { host } });
      await response.body?.cancel();
      return response.status;
    };
    for (const host of ["10.0.0.5:7878", "[fd00::2]:7878", "box:80", "box"]) {
      equal(await status(host), 200, `${hostname}: ${host}`);
    }
    for (
      const host of ["evil.test:7878", "10.0.0.5.evil.test", "10.0.0.5.:1"]
    ) {
      equal(await status(host), 421, `${hostname}: ${host}`);
    }
    const named = hostname === "viewer.example" ? 200 : 421;
    equal(await status("viewer.example:7878"), named, hostname);
  }
});

Deno.test("response: no path leads out of the store", async () => {
  using folder = workspace({ "secret.txt": "no", "store/x": "no" });
  const store = join(folder.path, "store");
  putRun(store, metaOf());
  const outside = join(folder.path, "outside");
  putRun(outside, metaOf({ id: "20261120T180211Z-outside-0000bb" }));
  Deno.symlinkSync(outside, join(store, "linked"));
  Deno.symlinkSync(
    join(outside, "20261120T180211Z-outside-0000bb"),
    join(store, "20261120T180211Z-outside-0000bb"),
  );
  const ask = asker(store);
  const ids = [
    "..%2f",
    "..%2foutside",
    "..%2f..%2fetc%2fpasswd",
    "..%5c..%5cetc",
    "%252e%252e",
    `${ID}%00`,
    `${ID}%2f..`,
    "linked",
    "20261120T180211Z-outside-0000bb",
    "a".repeat(5_000),
    "%ff",
  ];
  for (const id of ids) {
    for (
      const path of [
        `/runs/${id}`,
        `/api/v1/runs/${id}`,
        `/runs/${id}/report.html`,
      ]
    ) {
      const response = await ask(path);
      equal(response.status, 404, path);
      equal((await response.text()).includes("staging"), false);
    }
  }
  equal((await ask(`/runs/${ID}`)).status, 200);
});

Deno.test("response: a file that is a symbolic link is not followed", async () => {
  using folder = workspace({ "elsewhere.json": '{"points":[]}' });
  const store = join(folder.path, "store");
  const dir = putRun(store, metaOf());
  Deno.symlinkSync(
    join(folder.path, "elsewhere.json"),
    join(dir, "series.json"),
  );
  const ask = asker(store);
  const page = await (await ask(`/runs/${ID}`)).text();
  match(page, /symbolic link/);
  equal((await ask(`/api/v1/runs/${ID}/series`)).status, 500);
});

Deno.test("response: a directory in place of a file is named", async () => {
  using folder = workspace({});
  const dir = putRun(folder.path, metaOf());
  Deno.mkdirSync(join(dir, "series.json"));
  const page = await (await asker(folder.path)(`/runs/${ID}`)).text();
  match(page, /series\.json<\/code>: it is a directory, not a file</);
});

Deno.test("response: nothing in a payload is ever markup", async () => {
  using folder = workspace({});
  const meta = metaOf({
    flow_file: EVIL,
    target: EVIL,
    notes: [EVIL],
    abort_reason: EVIL,
    failures: [{
      key: EVIL,
      step: EVIL,
      code: EVIL,
      message: EVIL,
      count: 1,
      outcome: "failed",
      trace_id: EVIL,
      file: EVIL,
      expected: { type: EVIL, text: EVIL },
    }],
    rows: [{
      iteration: 0,
      outcome: "failed",
      duration_ms: 1,
      trace_id: EVIL,
      failures: [],
    }],
  });
  putRun(folder.path, meta, {
    "traces.json": TRACES,
    "flow.json": `"${"<b>"}"`,
  });
  const ask = asker(folder.path);
  const paths = [
    "/",
    `/?q=${encodeURIComponent(EVIL)}`,
    ...TABS.map((tab) => `/runs/${ID}${tab}`),
    `/runs/${ID}/traces/00ff`,
    `/runs/${ID}/traces/${encodeURIComponent(EVIL.replaceAll("/", ""))}`,
    `/runs/${ID}/flame?at=${encodeURIComponent(EVIL)}`,
    `/runs/${ID}/failures?step=${encodeURIComponent(EVIL)}`,
    `/runs/${ID}/report.html`,
    `/compare?a=${ID}&b=${ID}`,
  ];
  for (const path of paths) {
    const text = await (await ask(path)).text();
    equal(/<img|<script>|<b>/.test(text), false, path);
  }
});

Deno.test("response: a broken run directory gives a page that says what is wrong", async () => {
  const cases: [string, Record<string, unknown>, RegExp][] = [
    ["no JSON", { "meta.json": "{" }, /is not JSON/],
    ["empty", { "meta.json": "" }, /is not JSON/],
    ["another shape", { "meta.json": "[]" }, /expected|is missing/],
    [
      "a newer schema",
      { "meta.json": { ...metaOf(), schema: 99 } },
      /schema 99/,
    ],
    [
      "a wrong type",
      { "meta.json": { ...metaOf(), steps: 3 } },
      /<code>steps<\/code>/,
    ],
  ];
  for (const [sentence, files, expected] of cases) {
    using folder = workspace({});
    const dir = join(folder.path, ID);
    Deno.mkdirSync(dir);
    for (const [name, content] of Object.entries(files)) {
      Deno.writeTextFileSync(
        join(dir, name),
        typeof content === "string" ? content : JSON.stringify(content),
      );
    }
    const ask = asker(folder.path);
    const list = await ask("/");
    equal(list.status, 200, sentence);
    match(await list.text(), /UNREADABLE/, sentence);
    const page = await ask(`/runs/${ID}`);
    equal(page.status, 200, sentence);
    match(await page.text(), expected, sentence);
  }
});

Deno.test("response: a directory without meta.json is an incomplete run, and no fault of the server", async () => {
  using folder = workspace({});
  const dir = join(folder.path, ID);
  Deno.mkdirSync(dir);
  Deno.writeTextFileSync(join(dir, "series.json"), "{}");
  const ask = asker(folder.path);
  match(await (await ask("/")).text(), /INCOMPLETE/);
  const page = await ask(`/runs/${ID}`);
  equal(page.status, 200);
  match(await page.text(), /no[\s\S]*meta\.json[\s\S]*series\.json/);
  const api = await ask(`/api/v1/runs/${ID}`);
  equal(api.status, 404);
  equal((await api.json()).error.code, "incomplete");
});

Deno.test("response: a broken file takes its own block with it and nothing else", async () => {
  const broken = ["{", "[]", '{"schema":99}', '{"points":[{"t":"x"}]}', "null"];
  const names = [
    "series.json",
    "histograms.json",
    "traces.json",
    "agent.json",
    "traces.idx",
    "flow.json",
  ];
  for (const name of names) {
    for (const content of broken) {
      using folder = workspace({});
      putRun(folder.path, metaOf(), { [name]: content });
      const ask = asker(folder.path);
      for (const tab of TABS) {
        const response = await ask(`/runs/${ID}${tab}`);
        equal(response.status, 200, `${name} ${content} ${tab}`);
        match(await response.text(), /<\/html>/);
      }
    }
  }
});

Deno.test("response: odd directory names are reachable, others' directories are no runs", async () => {
  using folder = workspace({ "notes/readme.txt": "" });
  const odd = "my run #1 <&>";
  putRun(folder.path, metaOf({ id: odd }));
  const ask = asker(folder.path);
  const list = await (await ask("/")).text();
  ok(list.includes(`/runs/${encodeURIComponent(odd)}`));
  equal(list.includes("notes"), false);
  equal((await ask(`/runs/${encodeURIComponent(odd)}`)).status, 200);
});

Deno.test("response: the run page gives the knee word for word", async () => {
  using folder = workspace({});
  const knee = {
    class: "degraded",
    detail: "at 40 VUs p95(latency) < 300ms broke; CPU 0.31 -> 0.92",
    vus: 40,
    threshold: "p95(latency) < 300ms",
    at_ms: 12_000,
  } as const;
  putRun(folder.path, metaOf({ mode: "stress", knee }));
  const page = await (await asker(folder.path)(`/runs/${ID}`)).text();
  ok(page.includes("<strong>degraded</strong>"));
  ok(
    page.includes(
      "at 40 VUs p95(latency) &lt; 300ms broke; CPU 0.31 -&gt; 0.92",
    ),
  );
});

Deno.test("response: the API's list is pages of 200, and unreadable runs are in it", async () => {
  using folder = workspace({});
  for (let i = 0; i < 205; i++) {
    const id = `20261120T1802${String(i).padStart(3, "0")}Z-a-000000`;
    putRun(folder.path, metaOf({ id, flow: i % 2 ? "odd" : "even" }));
  }
  Deno.mkdirSync(join(folder.path, ID.replace("2026", "2030")));
  const ask = asker(folder.path);
  const body = await (await ask("/api/v1/runs")).json();
  deepStrictEqual([body.total, body.pages, body.runs.length], [206, 2, 200]);
  ok(body.runs[0].error);
  const odd = await (await ask("/api/v1/runs?q=flow:odd")).json();
  equal(odd.total, 102);
  equal((await (await ask("/api/v1/runs?page=2")).json()).runs.length, 6);
});

Deno.test("response: an API error is JSON", async () => {
  using folder = workspace({});
  const response = await asker(folder.path)("/api/v1/runs/none");
  equal(response.status, 404);
  deepStrictEqual(Object.keys((await response.json()).error), [
    "code",
    "message",
  ]);
});

Deno.test("API: a query that cannot be read is refused, and says what it must be", async () => {
  using folder = workspace({});
  putRun(folder.path, metaOf(), { "traces.json": JSON.parse(TRACES) });
  const ask = asker(folder.path);
  const run = `/api/v1/runs/${ID}`;
  const cases: [path: string, says: RegExp | undefined][] = [
    [`${run}/traces?outcome=failed&sort=-duration&q=&min=`, undefined],
    [`${run}/traces?outcome=fail`, /`outcome` must be passed, .* "fail"/],
    [`${run}/traces?outcom=failed`, /no parameter `outcom`; there are status/],
    [`${run}/traces?status=4xx`, /`status` must be a whole number/],
    [`${run}/traces?cursor=none`, /`cursor` must be the `next_cursor` of/],
    [`${run}/flame?sort=duration`, /no parameter `sort`/],
    [`${run}/histogram?q=p99`, /`q` must be percentiles/],
    ...["0", "-1", "1.5", "NaN", "1e400"].flatMap((number) =>
      [`${run}/traces?limit=`, `${run}/series?points=`, "/api/v1/runs?page="]
        .map((path): [string, RegExp] => [
          path + number,
          /must be a whole number from 1 on, but it is "/,
        ])
    ),
    [`${run}/traces?limit=201&vu=0&status=200`, undefined],
    [`${run}/traces?vu=-1`, /`vu` must be a whole number from 0 on/],
    [`${run}/traces?step=a&step=b`, /`step` must be given once/],
    [`${run}/series?t0=5&t1=2`, /`t0` must not be above `t1`.* 5, above 2/],
    [`${run}/traces?t0=2&t1=2`, undefined],
    [`${run}/traces?min=10&max=9`, /`min` must not be above `max`/],
    [`${run}/flame?at=&at=&limit=1`, /no parameter `limit`/],
    [`/runs/${ID}/export/har?payloads=false`, /`payloads` must be no/],
    [`/runs/${ID}/export/har?outcome=bad`, /`outcome` must be passed/],
    [`/runs/${ID}/export/har?vu=0`, /`vu` must be a whole number from 1 on/],
    [`/runs/${ID}/export/har?vu=1&payloads=no`, undefined],
    [`/runs/${ID}/report.html?payload=no`, /no parameter `payload`/],
    // A form takes what it is made by: a CSV of all seconds is none of a part.
    [
      `/runs/${ID}/export/csv?outcome=failed`,
      /no parameter `outcome`; there are none here$/,
    ],
    [`/runs/${ID}/export/json?payloads=no`, /no parameter `payloads`/],
    [`/runs/${ID}/export/html?step=a`, /`step`; there are payloads$/],
    [`/runs/${ID}/export/otlp?payloads=no`, /no parameter `payloads`/],
    [`/runs/${ID}/export/speedscope?step=a&trace=`, undefined],
    [`${run}/failures?step=a`, /no parameter `step`; there are none here$/],
    [`${run}/steps?t0=1`, /no parameter `t0`/],
    ["/api/v1/runs?sort=-p95&page=2", undefined],
    ["/api/v1/runs?sort=p99", /`sort` must be verdict/],
    ["/api/v1/compare?from=a", /no parameter `from`; there are a, b/],
    ["/api/v1/runs?constructor=1", /no parameter `constructor`/],
  ];
  for (const [path, says] of cases) {
    const response = await ask(path);
    const text = await response.text();
    equal(response.status, says ? 400 : 200, `${path} ${text}`);
    if (says) match(JSON.parse(text).error.message, says);
  }
});
