import { equal, match, ok } from "node:assert/strict";
import { Buffer } from "node:buffer";
import * as zlib from "node:zlib";
import { Histogram } from "../../../lib/results/histograms/histogram.ts";
import { encodeHistogram } from "../../../lib/results/histograms/histogram_text.ts";
import {
  indexBytes,
  indexText,
} from "../../../lib/results/store/trace_index.ts";
import { seededRandom } from "../../../lib/base/time/random.ts";
import { FORMATS } from "../../../viewer/model/formats.ts";
import { workspace } from "../../support/bench.ts";
import { asker, putRun } from "../../support/viewer_fixture.ts";
import { FILES, ID, META, TRACES } from "./exported_run.ts";

/*
 * A run directory may have been written by anyone, or torn by a disk. Whatever is in
 * it, the viewer says what it cannot read, and no response breaks half way.
 */

const HISTOGRAM = (() => {
  const histogram = new Histogram();
  for (const ms of [1, 2, 3.5, 900]) histogram.record(ms);
  return encodeHistogram(histogram);
})();
const SET = { service: HISTOGRAM, response: HISTOGRAM, throttled: HISTOGRAM };
const TRACES_TEXT = FILES["traces.json"] as string;

/** One of everything that a run directory holds. */
const WHOLE: Readonly<Record<string, unknown>> = {
  "meta.json": META,
  ...FILES,
  "traces.idx": indexText(indexBytes(new TextEncoder().encode(TRACES_TEXT))),
  "histograms.json": {
    schema: 1,
    unit: "us",
    overall: SET,
    steps: { login: SET },
  },
  "flow.json": {
    ir: 1,
    flow: "checkout",
    profile: { arrival: { count: 5, per_us: 1_000_000 } },
    steps: [{ id: "login", kind: "call" }],
  },
};

const RUN = `/runs/${ID}`;
const API = `/api/v1/runs/${ID}`;
const PATHS = [
  "/",
  "/flows/checkout",
  `/compare?a=${ID}&b=${ID}`,
  `/api/v1/runs`,
  `/api/v1/compare?a=${ID}&b=${ID}`,
  ...["", "/traces", "/traces?q=login", "/flame", "/failures", "/config"]
    .map((tab) => RUN + tab),
  `${RUN}/traces/${TRACES[0]!.trace_id}`,
  ...[
    ...["", "/flow", "/series", "/heatmap", "/histogram?step=login", "/steps"],
    ...["/failures", "/traces", "/traces?status=200", "/flame", "/agent"],
  ].map((name) => API + name),
  `${API}/traces/${TRACES[0]!.trace_id}`,
  ...Object.keys(FORMATS).map((format) => `${RUN}/export/${format}`),
];

/** Asks for everything there is to see; what is said of it. */
async function lookAtAll(files: Readonly<Record<string, unknown>>) {
  using folder = workspace({});
  putRun(folder.path, META, files);
  const ask = asker(folder.path);
  for (const path of PATHS) {
    const response = await ask(path);
    const text = await response.text().catch((error) => `broke: ${error}`);
    ok(!text.startsWith("broke"), `${path}: ${text}`);
    ok(!/bug of bench/.test(text), `${path}: ${text.slice(-600)}`);
  }
}

/** A value in place of another, as no program would write it. */
const ODD: readonly unknown[] = [
  ...[null, -1, 1e300, 0.5, "", "x", [], {}, true, [[]]],
  ...["2026-13-45T00:00:00Z", Number.MAX_SAFE_INTEGER],
];

/** Puts an odd value somewhere into a copy of the file. */
function spoilt(content: unknown, random: () => number): unknown {
  const pick = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)]!;
  const copy = structuredClone(content);
  let inside = copy as Record<string, unknown>;
  for (;;) {
    const key = pick(Object.keys(inside));
    const child = inside[key];
    const isLeaf = typeof child !== "object" || child === null ||
      Object.keys(child).length === 0;
    if (isLeaf || random() < 0.1) {
      inside[key] = pick(ODD);
      return copy;
    }
    inside = child as Record<string, unknown>;
  }
}

function cut(text: string, random: () => number): string {
  return text.slice(0, Math.floor(random() * text.length));
}

/** The same for files that are texts of lines: a line of JSON is changed, or cut. */
function spoiltText(text: string, random: () => number): string {
  if (random() < 0.2) return cut(text, random);
  const lines = text.split("\n");
  const at = Math.floor(random() * lines.length);
  const line = lines[at]!.replace(/,$/, "");
  try {
    const value: unknown = JSON.parse(line);
    lines[at] = JSON.stringify(spoilt(value, random)) +
      (lines[at]!.endsWith(",") ? "," : "");
  } catch {
    lines[at] = line.slice(1);
  }
  return lines.join("\n");
}

Deno.test("viewer: a whole run directory shows everything", async () => {
  using folder = workspace({});
  putRun(folder.path, META, WHOLE);
  const ask = asker(folder.path);
  for (const path of PATHS) {
    const response = await ask(path);
    equal(response.status, 200, path);
    await response.body?.cancel();
  }
});

/** What 200 found first of all is among these. */
const SEEDS = Number(Deno.env.get("SEEDS") ?? 6);
for (const name of Object.keys(WHOLE)) {
  Deno.test(`viewer: whatever is wrong in ${name} is said`, async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const random = seededRandom(seed);
      const content = WHOLE[name];
      const odd = typeof content === "string"
        ? spoiltText(content, random)
        : random() < 0.2
        ? cut(JSON.stringify(content), random)
        : spoilt(content, random);
      await lookAtAll({ ...WHOLE, [name]: odd });
    }
  });
}

/** Asks for one path of a run with these files. */
async function look(path: string, files: Readonly<Record<string, unknown>>) {
  using folder = workspace({});
  putRun(folder.path, META, { ...WHOLE, ...files });
  const response = await asker(folder.path)(path);
  return { status: response.status, text: await response.text() };
}

Deno.test("viewer: a trace that is broken refuses an export, which never breaks in the middle of a 200", async () => {
  const broken = TRACES_TEXT.replace(
    /"spans":\[(?![^]*"spans")/,
    '"spans":[7,',
  );
  for (const format of ["har", "trace-events", "speedscope"]) {
    const { status, text } = await look(`${RUN}/export/${format}`, {
      "traces.json": broken,
      "traces.idx": "",
    });
    equal(status, 500, format);
    equal(JSON.parse(text).error.code, "unreadable");
  }
});

Deno.test("viewer: a traces.json that was cut off is said to be, and is never a run without traces", async () => {
  for (const size of [300, TRACES_TEXT.length / 2]) {
    const files = { "traces.json": TRACES_TEXT.slice(0, size) };
    const said = /Cannot read .*traces\.json.*: it is cut off after \d+ bytes/;
    const trace = `/traces/${TRACES[0]!.trace_id}`;
    for (const tab of ["", "/traces", "/flame", trace, "/export/html"]) {
      const { text } = await look(RUN + tab, files);
      match(text, said, tab);
      ok(!text.includes("No trace was kept"), tab);
    }
    for (
      const path of [
        ...["/traces", "/traces?status=200", trace, "/flame"]
          .map((each) => API + each),
        ...["har", "otlp", "speedscope", "trace-events"]
          .map((format) => `${RUN}/export/${format}`),
      ]
    ) {
      const { status, text } = await look(path, files);
      equal(status, 500, path);
      match(JSON.parse(text).error.message, said);
    }
  }
});

Deno.test("viewer: a traces.json that is missing beside its index is said to be", async () => {
  using folder = workspace({});
  const { "traces.json": _, ...files } = WHOLE;
  putRun(folder.path, META, files);
  const said = /Cannot read .*traces\.json.*: it is missing, but traces\.idx/;
  for (const tab of ["", "/traces", "/flame"]) {
    const text = await (await asker(folder.path)(RUN + tab)).text();
    match(text, said, tab);
    ok(!text.includes("No trace was kept"), tab);
  }
});

Deno.test("viewer: a figure that no run can have makes its file unreadable", async () => {
  for (const duration_ms of [1e308, -1e308]) {
    const { text } = await look("/", {
      "meta.json": { ...META, duration_ms },
    });
    match(
      text,
      /UNREADABLE[\s\S]*<code>duration_ms<\/code>: expected &[lg]t;=-?1000000000000000000,/,
    );
    ok(!text.includes("Infinity"));
  }
});

Deno.test("viewer: 2 MB of nested lists in flow.json are refused, not spread", async () => {
  const half = 1024 * 1024;
  const nested = "[".repeat(half) + "]".repeat(half);
  const files = { "flow.json": nested };
  match((await look(`${API}/flow`, files)).text, /nested more than 512 levels/);
  const page = await look(`${RUN}/config`, files);
  equal(page.status, 200);
  match(page.text, /Cannot read .*flow\.json.*nested more than 512 levels/);
});

Deno.test("viewer: a flow.json that is mostly indentation shows its beginning", async () => {
  const wide = "[".repeat(500) + "0,".repeat(500_000) + "0" + "]".repeat(500);
  const page = await look(`${RUN}/config`, { "flow.json": wide });
  equal(page.status, 200);
  ok(page.text.length < 1_000_000);
  match(page.text, /Cut: the file has 1001001 characters/);
});

Deno.test("viewer: a zlib bomb in histograms.json is refused", async () => {
  const whole = Buffer.from(HISTOGRAM, "base64");
  const bomb = Buffer.concat([
    whole.subarray(0, 8),
    zlib.deflateSync(Buffer.concat([
      zlib.inflateSync(whole.subarray(8)),
      new Uint8Array(64 * 1024 * 1024),
    ])),
  ]).toString("base64");
  const { status, text } = await look(`${API}/histogram`, {
    "histograms.json": {
      schema: 1,
      unit: "us",
      overall: { ...SET, service: bomb },
      steps: {},
    },
  });
  equal(status, 500);
  match(JSON.parse(text).error.message, /Cannot read .*histograms\.json/);
});

Deno.test("viewer: a step has the histogram of its id, whatever that is", async () => {
  using folder = workspace({});
  const ids = ["constructor", "prototype", "toString", "__proto__"];
  const steps = `{${
    ids.map((id) => `"${id}":${JSON.stringify(SET)}`).join(",")
  }}`;
  const text = JSON.stringify({ ...WHOLE["histograms.json"] as object })
    .replace(/"steps":.*$/, `"steps":${steps}}`);
  putRun(folder.path, META, { "histograms.json": text });
  const ask = asker(folder.path);
  for (const id of ids) {
    const response = await ask(`${API}/histogram?step=${id}`);
    equal((await response.json()).service?.count, 4, id);
  }
});

Deno.test("API: an average has no more digits than the latencies it is of", async () => {
  using folder = workspace({});
  const histogram = new Histogram();
  for (const ms of [0.078, 0.122, 4.013]) histogram.record(ms);
  const set = encodeHistogram(histogram);
  putRun(folder.path, META, {
    "histograms.json": {
      ...WHOLE["histograms.json"] as object,
      overall: { service: set, response: set, throttled: set },
    },
  });
  const response = await asker(folder.path)(`${API}/histogram`);
  equal((await response.json()).response.avg_ms, 1.404);
});

Deno.test("pages: the file that cannot be read is shown as a name, on its own page and in the list", async () => {
  using folder = workspace({});
  putRun(folder.path, META, { "meta.json": "{" });
  const ask = asker(folder.path);
  for (const path of ["/", RUN]) {
    const text = await (await ask(path)).text();
    match(text, /Cannot read <code>[^`<]*meta\.json<\/code>: it is not JSON/);
  }
});
