import type { Outcome } from "../../lib/model/result/iteration.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import type { Markup } from "../markup/markup.ts";
import { verdictOf } from "../model/verdict.ts";

const SIGNS: Readonly<Record<Outcome, string>> = {
  passed: "✓",
  throttled: "!",
  failed: "✗",
};

/** An outcome as sign and word; its colour only repeats them. */
export function OutcomeSign({ outcome }: { outcome: Outcome }): Markup {
  return (
    <span class={`outcome ${outcome}`}>
      <span aria-hidden="true">{SIGNS[outcome]}</span> {outcome}
    </span>
  );
}

/** A run's verdict likewise. */
export function VerdictSign({ meta }: { meta: RunMeta }): Markup {
  const { kind, sign, word } = verdictOf(meta);
  return (
    <span class={`verdict ${kind}`}>
      <span aria-hidden="true">{sign}</span> {word}
    </span>
  );
}

/** A moment: UTC, and the reader's own time once scripts have run. */
export function Moment({ at }: { at: string }): Markup {
  const text = at.replace("T", " ").replace(/\.\d+Z$/, " UTC");
  return <time datetime={at} title={text}>{text}</time>;
}
