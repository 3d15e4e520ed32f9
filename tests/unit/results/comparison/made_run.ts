import { seededRandom } from "../../../../lib/base/time/random.ts";
import { canonical } from "../../../../lib/base/values/canonical.ts";
import {
  readEvidence,
  type RunEvidence,
} from "../../../../lib/results/comparison/evidence.ts";
import { Recorder } from "../../../../lib/results/record/recorder.ts";
import { seriesOf } from "../../../../lib/results/record/series.ts";
import { mergeSnapshots } from "../../../../lib/results/record/snapshot.ts";
import {
  type RunEnding,
  type RunFacts,
  summarise,
} from "../../../../lib/results/report/summary.ts";
import { createRun } from "../../../../lib/results/store/run_writer.ts";
import { writeHistograms } from "../../../../lib/engine/run_context/histogram_file.ts";
import { Secrets } from "../../../../lib/results/redact/secrets.ts";
import { makeRunId } from "../../../../lib/results/store/layout.ts";
import {
  SampledTraces,
  sampleRank,
} from "../../../../lib/results/traces/traces.ts";
import { levels, normals } from "../../../simulation/draws.ts";
import { IDS, iterationOf } from "../record/fixtures.ts";
import { ENDING, FACTS } from "../report/finished_run.ts";
import { clean } from "../store/fixtures.ts";

/** A run that was not waited for. */
export interface MadeRun {
  readonly seed: number;
  /** Median latency in milliseconds. */
  readonly ms?: number;
  readonly seconds?: number;
  readonly perSecond?: number;
  /** Share of the iterations that fail. */
  readonly failing?: number;
  /** Iterations that fail after the last whole second. */
  readonly late?: number;
  /** The second step sends nothing: its connections are refused. */
  readonly refused?: true;
  /** By what the second step takes longer than the first. */
  readonly second?: number;
  readonly facts?: Partial<RunFacts>;
  readonly ending?: Partial<RunEnding>;
  /** Of the flow's IR. */
  readonly flow?: Readonly<Record<string, unknown>>;
}

const STEPS = [{ id: "login", kind: "call" }, { id: "cart", kind: "call" }];

export const MADE_FLOW = {
  ir: 1,
  flow: "checkout",
  steps: STEPS,
  profile: { mode: "load", vus: 20, hold_us: 60_000_000 },
};

/** Records it as the engine would, and writes its directory. Returns the path. */
export async function storeMadeRun(
  store: string,
  made: MadeRun,
): Promise<string> {
  const { seed, facts = {}, seconds = 60 } = made;
  const recorder = new Recorder({
    start: 0,
    steps: [{ id: "login", kind: "call" }, { id: "cart", kind: "call" }],
    ids: IDS,
    traces: new SampledTraces(sampleRank(1)),
    rows: false,
  });
  record(recorder, made);
  const recording = mergeSnapshots([recorder.snapshot()]);
  const startedAt = FACTS.startedAt + seed * 1_000;
  const known = { ...FACTS, steps: STEPS, startedAt, ...facts };
  const id = makeRunId(known.flow, startedAt, () => 0);
  const writer = await createRun(store, id);
  await writer.writeFlow(clean(canonical({ ...MADE_FLOW, ...made.flow })));
  await writer.writeSeries(clean(seriesOf(recording.seconds)));
  const ids = STEPS.map((step) => step.id);
  await writeHistograms(writer, await recording.histograms(ids), new Secrets());
  const durationMs = seconds * 1_000 + 10;
  const ending = { ...ENDING, durationMs, ...made.ending };
  const meta = summarise(
    { ...known, id },
    recording.totals,
    ending,
    () => undefined,
  );
  writer.release();
  await writer.writeMeta(clean(meta));
  return writer.dir;
}

function record(
  recorder: Recorder,
  made: MadeRun,
): void {
  const { seed, ms = 20, seconds = 60, perSecond = 25 } = made;
  const { failing = 0, second = 1, late = 0 } = made;
  const random = seededRandom(seed * 7_919 + 11);
  const normal = normals(random);
  const level = levels(normal, 0.3);
  for (let t = 0; t < seconds; t++) {
    const median = ms * Math.exp(0.05 * level());
    for (let i = 0; i < perSecond; i++) {
      const at = t * 1_000 + i * 1_000 / perSecond;
      const iteration = t * perSecond + i;
      recorder.started(at, iteration);
      for (const [step, factor] of [1, second].entries()) {
        const took = median * factor * Math.exp(0.2 * normal());
        if (step > 0 && made.refused) {
          recorder.sample(step, "failed", at, NaN, NaN, 0, 0);
        } else recorder.sample(step, "passed", at, took, took, 100, 200);
      }
      const failed = random() < failing;
      recorder.iteration(
        iterationOf({ iteration, startedAt: at, endedAt: at, failed }),
      );
    }
  }
  for (let i = 0; i < late; i++) {
    const [at, iteration] = [seconds * 1_000 + 5, seconds * perSecond + i];
    recorder.started(at, iteration);
    recorder.iteration(
      iterationOf({ iteration, startedAt: at, endedAt: at, failed: true }),
    );
  }
}

/** The same as evidence. */
export async function madeEvidence(made: MadeRun): Promise<RunEvidence> {
  const store = await Deno.makeTempDir();
  try {
    return await readEvidence(await storeMadeRun(store, made), Date.now());
  } finally {
    await Deno.remove(store, { recursive: true });
  }
}
