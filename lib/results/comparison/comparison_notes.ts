import type { RunMeta } from "../../model/result/run.ts";

/** From this share of failed iterations on, latencies are mostly those of failures. */
const MOSTLY = 0.5;

/** What it took says little about the target that serves. */
export function mostlyFailed({ error_rate }: RunMeta): boolean {
  return error_rate >= MOSTLY;
}

/** What a reader should know of the runs before trusting the figures. */
export function comparisonNotes(metas: readonly RunMeta[]): string[] {
  const versions = new Set(metas.map(({ bench_version }) => bench_version));
  return [
    ...metas.filter(({ generator }) => generator?.limited).map(({ id }) =>
      `${id}: the generator was the limit; its latencies are its own (use more cores, or less load)`
    ),
    ...metas.filter(mostlyFailed).map(({ id, error_rate }) =>
      `${id}: ${Math.floor(error_rate * 100)}% of its iterations failed; ` +
      "its latencies are mostly those of failures"
    ),
    ...metas.filter(({ status }) => status !== "finished").map((
      { id, status },
    ) => `${id} is ${status}: it did not run to its end`),
    ...versions.size > 1
      ? [`measured by different versions of bench: ${[...versions].join(", ")}`]
      : [],
  ];
}
