import type { RunMeta } from "../../lib/model/result/run.ts";
import type { Trace } from "../../lib/model/result/trace.ts";
import {
  latencyText,
  plural,
  traceName,
} from "../../lib/results/report/figures.ts";
import { type FlameNode, type FlameTree, selfTime } from "../model/flame.ts";
import { nestedSpans } from "../model/waterfall.ts";
import { jsonObject } from "./json_stream.ts";

/** Traces with a profile of their own; a longer list is no help. */
export const MOST_PROFILES = 500;

/** The parts of the profiles. */
interface ProfileParts {
  /** Of every trace that was chosen. */
  readonly flame: FlameTree;
  /** Traces that get a profile of their own, `MOST_PROFILES` at most. */
  readonly traces: AsyncIterable<Trace>;
}

/**
 * The traces in speedscope's file format: all of them added up first, as the
 * flame graph has them, then each on its own in the order of time.
 */
export function speedscope(
  meta: RunMeta,
  { flame, traces }: ProfileParts,
): AsyncGenerator<string> {
  const frames = new Map<string, number>();
  const frame = (name: string): number => {
    const known = frames.get(name);
    if (known !== undefined) return known;
    frames.set(name, frames.size);
    return frames.size - 1;
  };
  return jsonObject(
    {
      $schema: "https://www.speedscope.app/file-format-schema.json",
      exporter: `bench ${meta.bench_version}`,
      name: `${meta.flow} against ${meta.target} (${meta.id})`,
      activeProfileIndex: 0,
    },
    [{ name: "profiles", items: profiles() }],
    () => ({
      shared: { frames: [...frames.keys()].map((name) => ({ name })) },
    }),
  );

  async function* profiles() {
    yield summed(flame, frame);
    for await (const trace of traces) yield single(trace, frame);
  }
}

function summed(flame: FlameTree, frame: (name: string) => number): object {
  const samples: number[][] = [];
  const weights: number[] = [];
  const walk = (node: FlameNode, stack: readonly number[]) => {
    const own = selfTime(node);
    if (own > 0 && stack.length > 0) {
      samples.push([...stack]);
      weights.push(own);
    }
    for (const child of node.children.values()) {
      walk(child, [...stack, frame(child.name)]);
    }
  };
  walk(flame.root, []);
  return {
    type: "sampled",
    name: `all of ${plural(flame.traces, "trace")}, added up`,
    unit: "microseconds",
    startValue: 0,
    endValue: weights.reduce((sum, each) => sum + each, 0),
    samples,
    weights,
  };
}

function single(trace: Trace, frame: (name: string) => number): object {
  const events: { type: "O" | "C"; frame: number; at: number }[] = [];
  const open: { frame: number; to: number }[] = [];
  const closeTo = (depth: number) => {
    while (open.length > depth) {
      const { frame, to } = open.pop()!;
      events.push({ type: "C", frame, at: to });
    }
  };
  for (const { span, depth, from, to } of nestedSpans(trace)) {
    closeTo(depth);
    const opened = { frame: frame(span.name), to };
    events.push({ type: "O", frame: opened.frame, at: from });
    open.push(opened);
  }
  closeTo(0);
  return {
    type: "evented",
    name: `${traceName(trace)}, ${trace.outcome}, ${
      latencyText(trace.duration_us / 1_000)
    }`,
    unit: "microseconds",
    startValue: events[0]?.at ?? trace.start_us,
    endValue: events.at(-1)?.at ?? trace.start_us,
    events,
  };
}
