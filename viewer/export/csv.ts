import { countSamples, OUTCOME_NAMES } from "../../lib/model/outcome.ts";
import type { SecondPoint } from "../../lib/model/result/series.ts";
import type { AgentPoint } from "../model/timeline.ts";
import { momentAt } from "../model/words.ts";

/** The value of a cell; nothing where nothing is known. */
type Cell = string | number | null | undefined;

/** A second of a run beside what the target's machine did in it. */
interface Row {
  readonly point: SecondPoint;
  readonly agent: AgentPoint | undefined;
  readonly startedAt: number;
  /** By step index: passed, throttled, failed. */
  readonly steps: ReadonlyMap<number, readonly number[]>;
}

/** Latencies of a second without samples are unknown, and not 0. */
const sampled =
  (pick: (point: SecondPoint) => number | null) => ({ point }: Row) =>
    countSamples(point) === 0 ? null : pick(point);

type Column = readonly [name: string, cell: (row: Row) => Cell];

const COLUMNS: readonly Column[] = [
  ["t_s", ({ point }) => point.t],
  [
    "time_utc",
    ({ point, startedAt }) => momentAt(startedAt, point.t * 1_000_000),
  ],
  ["vus", ({ point }) => point.vus],
  ["iterations_started", ({ point }) => point.started],
  ["iterations_completed", ({ point }) => point.completed],
  ["iterations_failed", ({ point }) => point.iterations_failed],
  ["iterations_throttled", ({ point }) => point.iterations_throttled],
  ...OUTCOME_NAMES.map((outcome): Column => [
    `attempts_${outcome}`,
    ({ point }) => point[outcome],
  ]),
  ["sent_bytes", ({ point }) => point.bytes_sent],
  ["received_bytes", ({ point }) => point.bytes_received],
  ["latency_p50_ms", sampled((point) => point.p50)],
  ["latency_p95_ms", sampled((point) => point.p95)],
  ["latency_p99_ms", sampled((point) => point.p99)],
  ["latency_max_ms", sampled((point) => point.max)],
  ["generator_cpu_share", ({ point }) => point.cpu_share],
  ["generator_core_wait_share", ({ point }) => point.core_wait_share],
  ["generator_loop_lag_ms", ({ point }) => point.loop_lag_ms],
  ["generator_lateness_ms", ({ point }) => point.lateness_ms],
  ["target_cpu_share", ({ agent }) => agent?.cpu],
  ["target_memory_used_bytes", ({ agent }) => agent?.memory],
  ["target_memory_total_bytes", ({ agent }) => agent?.memory_total],
  ["target_received_bytes_per_s", ({ agent }) => agent?.received],
  ["target_sent_bytes_per_s", ({ agent }) => agent?.sent],
  ["target_open_files", ({ agent }) => agent?.fds],
  ["target_load1", ({ agent }) => agent?.load1],
];

/** Ids have no dots. */
function stepColumns(steps: readonly string[]): Column[] {
  return steps.flatMap((id, step) =>
    OUTCOME_NAMES.map((outcome, i): Column => [
      `${id}.attempts_${outcome}`,
      ({ point, steps }) => point.steps && (steps.get(step)?.[i] ?? 0),
    ])
  );
}

/**
 * The per-second series as CSV (RFC 4180): one row a second, units in the names,
 * an empty cell where nothing is known. The columns are those of the run, which are always the same, then
 * those of each step.
 *
 * @param agent readings of the target's machine, on the run's clock
 * @param startedAt the run's start, milliseconds since the epoch
 * @param ids of the flow's steps
 */
export function* csvOf(
  points: readonly SecondPoint[],
  agent: readonly AgentPoint[],
  startedAt: number,
  ids: readonly string[],
): Generator<string> {
  const columns = [...COLUMNS, ...stepColumns(ids)];
  yield line(columns.map(([name]) => name));
  const readings = new Map(agent.map((each) => [each.t, each]));
  for (const point of points) {
    const steps = new Map(
      point.steps?.map(([step, ...counts]) => [step, counts]),
    );
    const row = { point, agent: readings.get(point.t), startedAt, steps };
    yield line(columns.map(([, cell]) => cell(row)));
  }
}

function line(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(",")}\r\n`;
}

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return "";
  // Microseconds, and what a share or a load needs.
  if (typeof cell === "number") return String(Number(cell.toFixed(6)));
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
