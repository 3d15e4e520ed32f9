import { countText, plural, shareText } from "../../lib/report/figures.ts";
import type { FailureGroup, RunMeta } from "../../lib/result/run.ts";
import { html, type Markup } from "../markup.ts";
import { failureGroups } from "./failure_groups.ts";
import { block } from "./layout.ts";
import { type PageAnswer, type Visit } from "./visit.ts";

/** What went wrong, by step and cause; throttles stand apart. */
export function failuresPage(
  { url }: Visit,
  meta: RunMeta,
): PageAnswer {
  const step = url.searchParams.get("step") ?? "";
  return {
    title: `Failures of ${meta.flow}`,
    run: { id: meta.id, tab: "failures", live: meta.status === "running" },
    body: failureBlocks(meta, step),
  };
}

/** Both blocks; `link` is off in a report file. */
export function failureBlocks(
  meta: RunMeta,
  step: string,
  link = true,
): Markup {
  const of = (outcome: FailureGroup["outcome"]) =>
    meta.failures.filter((each) =>
      each.outcome === outcome && (step === "" || each.step === step)
    );
  const failed = of("failed");
  const throttled = of("throttled");
  return html`<h1>Failures</h1>${
    step !== "" &&
    html`
      <p
        class="note">At step <strong>${step}</strong> only. <a href="?">All steps</a></p>
    `
  }${
    block(
      "failed",
      `Failed (${countText(meta.iterations.failed)} of ${
        plural(meta.iterations.completed, "iteration")
      })`,
      failed.length === 0
        ? html`<p class="empty">${nothing(meta)}</p>`
        : byStep(meta, failed, link),
    )
  }${
    block(
      "throttled",
      `Throttled (${countText(meta.iterations.throttled)} of ${
        plural(meta.iterations.completed, "iteration")
      })`,
      html`
        <p
          class="note">A rate limit's answer is a class of its own. In load, stress and soak runs it is no failure; an iteration can be both and is then in both.</p>${throttled
              .length === 0
            ? html`<p class="empty">Nothing was throttled.</p>`
            : byStep(meta, throttled, link)}
      `,
    )
  }`;
}

function nothing(meta: RunMeta): string {
  if (meta.status === "running") {
    return "Failures are told when the run ends.";
  }
  return `No failures in ${plural(meta.iterations.completed, "iteration")}.`;
}

function byStep(
  meta: RunMeta,
  groups: readonly FailureGroup[],
  link: boolean,
): Markup {
  const steps = [...new Set(groups.map((group) => group.step))];
  return html`${
    steps.map((step) => {
      const own = groups.filter((group) => group.step === step);
      const count = own.reduce((sum, group) => sum + group.count, 0);
      const of = meta.steps.find((each) => each.id === step)?.executions ?? 0;
      return html`
        <h3
          class="at">at <span class="step">${step}</span> <span class="more">${countText(
            count,
          )}${of > 0 &&
            ` of ${countText(of)} begun, ${
              shareText(Math.min(1, count / of))
            }`}</span></h3>${failureGroups(meta, own, link)}
      `;
    })
  }`;
}
