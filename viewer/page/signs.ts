import type { Outcome } from "../../lib/model/result/iteration.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { html, type Markup } from "../markup.ts";
import { verdictOf } from "../model/verdict.ts";

const SIGNS: Readonly<Record<Outcome, string>> = {
  passed: "✓",
  throttled: "!",
  failed: "✗",
};

/** An outcome as sign and word; its colour only repeats them. */
export function outcomeSign(outcome: Outcome): Markup {
  return html`
    <span
      class="outcome ${outcome}"><span aria-hidden="true">${SIGNS[
        outcome
      ]}</span> ${outcome}</span>
  `;
}

/** A run's verdict likewise. */
export function verdictSign(meta: RunMeta): Markup {
  const { kind, sign, word } = verdictOf(meta);
  return html`
    <span
      class="verdict ${kind}"><span aria-hidden="true">${sign}</span> ${word}</span>
  `;
}

/** A moment: UTC, and the reader's own time once scripts have run. */
export function moment(iso: string): Markup {
  const text = iso.replace("T", " ").replace(/\.\d+Z$/, " UTC");
  return html`<time datetime="${iso}" title="${text}">${text}</time>`;
}
