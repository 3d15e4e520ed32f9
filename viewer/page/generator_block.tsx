import {
  latencyText,
  plural,
  shareText,
} from "../../lib/results/report/figures.ts";
import { sentence } from "../model/words.ts";
import type { CoreUse, RunMeta } from "../../lib/model/result/run.ts";
import type { Markup } from "../markup/markup.ts";

/** How the generator was doing. That it was the limit is a finding, which says so with its reasons. */
export function generatorBlock(
  { generator, rows }: RunMeta,
): Markup | undefined {
  if (!generator) return;
  const facts = [
    `CPU ${shareText(generator.cpu_share)} of its threads' share`,
    generator.core_wait_share !== null &&
    `waited for a core ${shareText(generator.core_wait_share)} of the time`,
    generator.cores && coresText(generator.cores),
    `timers late by ${latencyText(generator.loop_lag_p99_ms)} (p99)`,
    (generator.late_p99_ms ?? 0) > 0 &&
    `slots late by ${latencyText(generator.late_p99_ms)} (p99)`,
    (generator.held_requests ?? 0) > 0 &&
    `${plural(generator.held_requests, "request")} held back by max_rps`,
    (generator.unserved_slots ?? 0) > 0 &&
    `${plural(generator.unserved_slots, "due request")} never sent`,
  ].filter((each) => each);
  return (
    <p class="note">
      {generator.limited && !rows
        ? "The generator: "
        : `${sentence(generator.detail)} `}
      {facts.join("; ")}.
    </p>
  );
}

function coresText({ total, generator, target, others }: CoreUse): string {
  const shares = [
    `${generator.toFixed(1)} generator`,
    ...(target === null ? [] : [`${target.toFixed(1)} target`]),
    `${others.toFixed(1)} others`,
  ];
  return `of ${plural(total, "core")} ${shares.join(", ")}`;
}
