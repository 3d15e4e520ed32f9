import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { inBlocks } from "../../../viewer/export/exports.ts";
import { har } from "../../../viewer/export/har.ts";
import { NAMED_FORMATS } from "../../../viewer/model/formats.ts";
import { workspace } from "../../support/bench.ts";
import { asker, metaOf, putRun } from "../../support/viewer_fixture.ts";
import { FILES, ID, META, TRACES, tracesText } from "./exported_run.ts";

Deno.test("export: every form has its type and a file name, and the same bytes wherever the store lies", async () => {
  for (const [format, { type, ending, suffix = ending }] of NAMED_FORMATS) {
    const texts: string[] = [];
    for (const store of ["a", "elsewhere/b"]) {
      using folder = workspace({});
      const path = join(folder.path, store);
      putRun(path, META, FILES);
      const response = await asker(path)(`/runs/${ID}/export/${format}`);
      equal(response.status, 200, format);
      equal(response.headers.get("content-type"), type);
      equal(
        response.headers.get("content-disposition"),
        `attachment; filename="${ID}${suffix}"`,
      );
      texts.push(await response.text());
    }
    ok(texts[0]!.length > 100, format);
    equal(texts[0], texts[1], format);
  }
});

Deno.test("export: what is not there is said", async () => {
  using folder = workspace({});
  putRun(folder.path, metaOf());
  const ask = asker(folder.path);
  const cases: [string, number, RegExp][] = [
    [`/runs/${ID}/export/pdf`, 404, /html, json, junit/],
    [`/runs/${ID}/export/toString`, 404, /html/],
    [`/runs/none/export/har`, 404, /no such run/],
    [`/runs/${ID}/export/csv`, 404, /no such file/],
  ];
  for (const [path, status, expected] of cases) {
    const response = await ask(path);
    equal(response.status, status, path);
    match((await response.json()).error.message, expected);
  }
  // Without traces there is an empty file of each kind, and no error.
  for (const format of ["har", "speedscope", "trace-events"]) {
    equal((await ask(`/runs/${ID}/export/${format}`)).status, 200, format);
  }
});

Deno.test("export: a file that is broken or a link is refused", async () => {
  using folder = workspace({ "elsewhere.json": "{}" });
  const store = join(folder.path, "store");
  const dir = putRun(store, META, { "traces.idx": "{", "series.json": "{" });
  Deno.symlinkSync(
    join(folder.path, "elsewhere.json"),
    join(dir, "traces.json"),
  );
  const ask = asker(store);
  for (const format of ["csv", "har", "speedscope", "trace-events"]) {
    const response = await ask(`/runs/${ID}/export/${format}`);
    equal(response.status, 500, format);
    equal((await response.json()).error.code, "unreadable");
  }
});

Deno.test("export: one trace can be had alone", async () => {
  using folder = workspace({});
  putRun(folder.path, META, FILES);
  const ask = asker(folder.path);
  const expected = TRACES[1]!.trace_id;
  const response = await ask(`/runs/${ID}/export/har?trace=${expected}`);
  const { log } = await response.json();
  deepStrictEqual(log.pages.map((each: { id: string }) => each.id), [expected]);
  equal((await ask(`/runs/${ID}/export/har?trace=none`)).status, 404);
});

Deno.test("export: the links of a list have its filter, and nothing else of its address", async () => {
  using folder = workspace({});
  putRun(folder.path, META, FILES);
  const page = await asker(folder.path)(
    `/runs/${ID}/traces?outcome=${
      TRACES[0]!.outcome
    }&sort=duration&limit=5&from=mail`,
  );
  match(
    await page.text(),
    new RegExp(`/export/har\\?outcome=${TRACES[0]!.outcome}"`),
  );
});

Deno.test("traces page: a page that begins after a trace that is gone says so", async () => {
  using folder = workspace({});
  putRun(folder.path, META, FILES);
  const ask = asker(folder.path);
  for (const [cursor, isLost] of [["gone", true], ["", false]] as const) {
    const page = await ask(`/runs/${ID}/traces?cursor=${cursor}`);
    equal(/shown\s+from its beginning/.test(await page.text()), isLost);
  }
});

Deno.test("export: all traces are with those of setup and teardown, in the order of time", async () => {
  using folder = workspace({});
  const [first] = TRACES;
  const once = (once: "setup" | "teardown", id: string, start_us: number) => ({
    ...first!,
    ...{ once, start_us, trace_id: id.repeat(32) },
  });
  const setup = once("setup", "a", -9_000_000);
  const teardown = once("teardown", "b", 9_000_000);
  const traces = tracesText([...TRACES, teardown, setup]);
  putRun(folder.path, META, { ...FILES, "traces.json": traces });
  const ask = asker(folder.path);
  const exported = async (form: string) =>
    await (await ask(`/runs/${ID}/export/${form}`)).text();
  const { log: { pages } } = JSON.parse(await exported("har"));
  equal(pages.length, TRACES.length + 2);
  deepStrictEqual([pages[0].id, pages.at(-1).id], [
    setup.trace_id,
    teardown.trace_id,
  ]);
  match(pages[0].title, /^setup, /);
  for (const form of ["otlp", "har?outcome=failed", "speedscope"]) {
    const text = await exported(form);
    equal(/"setup/.test(text), !form.includes("?"), form);
  }
});

Deno.test("export: one that is too long to be held is made again, and is as whole", async () => {
  using folder = workspace({});
  const [first] = TRACES;
  const spans = first!.spans.map((span) =>
    span.response?.body === undefined
      ? span
      : { ...span, response: { ...span.response, body: "x".repeat(60_000) } }
  );
  const traces = Array.from({ length: 150 }, (_, index) => ({
    ...first!,
    trace_id: String(index).padStart(32, "0"),
    spans,
  }));
  putRun(folder.path, META, { "traces.json": tracesText(traces) });
  const response = await asker(folder.path)(`/runs/${ID}/export/har`);
  const text = await response.text();
  ok(text.length > 9_000_000, `${text.length}`);
  deepStrictEqual(JSON.parse(text).log.pages.length, traces.length);
});

Deno.test("export: traces are read as they are written, one at a time", async () => {
  let read = 0;
  const traces = async function* () {
    for (; read < 100_000; read++) yield { ...TRACES[0]!, iteration: read };
  };
  const pieces = inBlocks(har(META, {
    entries: [],
    traces: traces(),
  }));
  for (let block = 0; block < 3; block++) {
    const { value } = await pieces.next();
    ok(value!.length < 80_000, "blocks stay small");
  }
  // An entry is about a kilobyte: three blocks of 64 are no thousand of them.
  ok(read < 1_000, `${read} traces were read for three blocks`);
  await pieces.return(undefined);
});

Deno.test("csv: a row a second, units in the names, empty where nothing is known", async () => {
  using folder = workspace({});
  putRun(folder.path, META, FILES);
  const response = await asker(folder.path)(`/runs/${ID}/export/csv`);
  const text = await response.text();
  ok(/^(?:[^\n]*\r\n){4}$/.test(text), "RFC 4180: every line ends in CRLF");
  const rows: Record<string, string>[] = parse(text, { columns: true });
  const [first, second, third] = rows;
  deepStrictEqual(
    [first!.t_s, first!.time_utc, first!.vus, first!.latency_p50_ms],
    ["0", "2026-11-20T18:02:11.000Z", "2", "1.2345"],
  );
  deepStrictEqual(
    [second!.latency_p50_ms, second!.latency_max_ms, second!.attempts_passed],
    ["", "", "0"],
  );
  // The agent's clock is a minute ahead; the rate of a second is read at its end.
  deepStrictEqual(
    rows.map((row) => row.target_memory_used_bytes),
    ["1000", "1000", ""],
  );
  equal(first!.target_cpu_share, "0.5");
  equal(second!.target_cpu_share, "0.25");
  equal(third!.generator_lateness_ms, "");
  // By step; nothing where a run of an earlier version did not count them.
  deepStrictEqual(
    rows.map((row) => [
      row["login.attempts_throttled"],
      row["item.attempts_failed"],
    ]),
    [["1", "1"], ["1", "0"], ["", ""]],
  );
  for (const name of Object.keys(first!)) {
    match(
      name,
      /(?:_s|_ms|_bytes|_utc|_share|_load1|_files|^vus|^iterations_\w+|^attempts_\w+|\w\.attempts_\w+)$/,
    );
  }
});

Deno.test("export: the sections of an HTML report have names of their own", async () => {
  using folder = workspace({});
  const iterations = { ...META.iterations, failed: 2 };
  putRun(folder.path, { ...META, iterations }, FILES);
  const text = await (await asker(folder.path)(`/runs/${ID}/export/html`))
    .text();
  const names = [...text.matchAll(/<h2[^>]*>([^<]*)</g)].map(([, name]) =>
    name
  );
  ok(names.includes("Failures over time"), String(names));
  equal(new Set(names).size, names.length, String(names));
});
