import assert from "node:assert/strict";
import { readComparable } from "../../../../lib/results/comparison/evidence.ts";
import { StoreError } from "../../../../lib/results/store/layout.ts";
import { MADE_FLOW, type MadeRun, storeMadeRun } from "./made_run.ts";

const SHORT = { seconds: 10, perSecond: 2 };

/** What is said about these two runs; undefined when they can be compared. */
async function refusal(
  a: Partial<MadeRun>,
  b: Partial<MadeRun>,
  change?: (dir: string) => void,
): Promise<string | undefined> {
  const store = await Deno.makeTempDir();
  try {
    const candidate = await storeMadeRun(store, { seed: 1, ...SHORT, ...a });
    const base = await storeMadeRun(store, { seed: 2, ...SHORT, ...b });
    change?.(base);
    await readComparable(candidate, [base], Date.now(), { targets: false });
    return;
  } catch (error) {
    assert.ok(error instanceof StoreError, String(error));
    return `${error.message} (${error.hint})`;
  } finally {
    await Deno.remove(store, { recursive: true });
  }
}

const profile = (change: object) => ({
  flow: { profile: { ...MADE_FLOW.profile, ...change } },
});

Deno.test("readComparable takes two runs of one flow, with other thresholds and another hold too", async () => {
  assert.equal(await refusal({}, {}), undefined);
  const other = profile({ hold_us: 1, thresholds: [{ metric: "latency" }] });
  assert.equal(await refusal({}, other), undefined);
  const later = { flow: { ...other.flow, ir: 2, teardown: [] } };
  assert.equal(await refusal({}, later), undefined);
});

const REFUSED: readonly [name: string, b: Partial<MadeRun>, words: RegExp][] = [
  [
    "another flow",
    { facts: { flow: "search" } },
    /^the runs are of different flows: `checkout`, and `search` of /,
  ],
  [
    "another target",
    { facts: { target: "production" } },
    /^the runs are against different targets: `staging`, and `production` of .*--across-targets/,
  ],
  [
    "other steps",
    { flow: { steps: [] } },
    /^the steps of the flow are not those of .*: the flow was changed/,
  ],
  [
    "another load",
    profile({ vus: 21 }),
    /^`vus` of the profile is not that of /,
  ],
  [
    "other stages",
    profile({ stages: [{ vus: 20, over_us: 1_000_000 }] }),
    /^`stages` of the profile is not that of /,
  ],
  [
    "another arrival pattern",
    { facts: { options: { arrivals: "poisson" } } },
    /^`--arrivals` is not that of .*different loads say nothing/,
  ],
  [
    "a mix whose flows do something else",
    { flow: { flows: [{ weight: 1, flow: { flow: "a", steps: [] } }] } },
    /^the steps of the flow are not those of /,
  ],
  [
    "another setup",
    { flow: { setup: [] } },
    /^the steps of the flow are not those of /,
  ],
  [
    "one second of data",
    { seconds: 1 },
    /cannot be compared: it lasted 1s, expected at least 10s \(measure longer/,
  ],
  [
    "less than a second",
    { seconds: 0.0332 },
    /cannot be compared: it lasted 43\.2ms, expected at least 10s/,
  ],
  [
    "a run that is short by a moment",
    { seconds: 9.9896 },
    /cannot be compared: it lasted 9\.9s, expected at least 10s/,
  ],
  [
    "a run that was ended early",
    {
      seconds: 6,
      ending: {
        status: "aborted",
        abort_reason: "`error_rate < 1%` was broken in 3 windows running",
      },
    },
    /it lasted \d.*, expected at least 10s, and is aborted: `error_rate < 1%` was broken in 3 windows running \(compare a run that came to its end\)/,
  ],
  [
    "a functional run",
    { facts: { mode: "integration" } },
    /cannot be compared: it is a run in integration mode, which measures no load/,
  ],
];

for (const [name, b, words] of REFUSED) {
  Deno.test(`readComparable refuses ${name}, in words`, async () => {
    assert.match(await refusal({}, b) ?? "", words);
  });
}

for (const name of ["series.json", "histograms.json"]) {
  Deno.test(`readComparable refuses a run without ${name}, in words`, async () => {
    const text = await refusal({}, {}, (dir) => {
      Deno.removeSync(`${dir}/${name}`);
    });
    assert.match(
      text ?? "",
      new RegExp(`^run .* it has no ${name} \\(run the flow once more\\)$`),
    );
  });
}

Deno.test("readComparable refuses a run of a version that stored no latencies over time", async () => {
  const text = await refusal({}, {}, (dir) => {
    const path = `${dir}/histograms.json`;
    const stored = JSON.parse(Deno.readTextFileSync(path));
    delete stored.overall.stretches;
    Deno.writeTextFileSync(path, JSON.stringify(stored));
  });
  assert.match(text ?? "", /: bench 0\.1\.0 did not store its latencies/);
});

Deno.test("readComparable refuses a run whose files are damaged, by their names", async () => {
  const damage = (name: string, change: (text: string) => string) =>
    refusal({}, {}, (dir) => {
      const path = `${dir}/${name}`;
      Deno.writeTextFileSync(path, change(Deno.readTextFileSync(path)));
    });
  const damaged: readonly [string, (text: string) => string, RegExp][] = [
    ["flow.json", (text) => text.slice(0, -1), /: it is not JSON/],
    ["flow.json", () => "{}", /`ir`/],
    ["flow.json", () => "[]", /`ir`|the file/],
    ["histograms.json", () => `{"schema":1,"unit":"us"}`, /`overall`/],
    [
      "histograms.json",
      (text) => text.replace(/(?<="blocks":")/, "!"),
      /base64/,
    ],
    ["series.json", () => `{"schema":1,"interval_ms":1000}`, /`points`/],
  ];
  for (const [name, change, words] of damaged) {
    const text = await damage(name, change) ?? "";
    assert.match(text, new RegExp(`^Cannot read .*/${name}\``));
    assert.match(text, words);
  }
});

Deno.test("readComparable refuses a run of a newer schema, by its number", async () => {
  const text = await refusal({}, {}, (dir) => {
    const path = `${dir}/meta.json`;
    const stored = JSON.parse(Deno.readTextFileSync(path));
    Deno.writeTextFileSync(path, JSON.stringify({ ...stored, schema: 99 }));
  });
  assert.match(text ?? "", /it has schema 99/);
});

Deno.test("readComparable refuses a run and itself, and a base that is named twice", async () => {
  const store = await Deno.makeTempDir();
  try {
    const dir = await storeMadeRun(store, { seed: 1, ...SHORT });
    await assert.rejects(
      readComparable(dir, [dir], Date.now(), { targets: false }),
      /a run cannot be compared with itself/,
    );
    const base = await storeMadeRun(store, { seed: 2, ...SHORT });
    await assert.rejects(
      readComparable(dir, [base, base], Date.now(), { targets: false }),
      /run `[^`]+` is named twice after --with/,
    );
  } finally {
    await Deno.remove(store, { recursive: true });
  }
});
