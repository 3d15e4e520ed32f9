/** The numbers of a reading, in the order they are written. */
export const READING_FIELDS = [
  /** CPU time that was not idle, over all cores. */
  "cpu_seconds_total",
  "cpu_cores",
  /** Total minus available. */
  "mem_used_bytes",
  "mem_total_bytes",
  /** All interfaces but loopback. */
  "net_rx_bytes_total",
  "net_tx_bytes_total",
  "open_fds",
  /** Load average of the last minute. */
  "load1",
] as const;
type ReadingField = (typeof READING_FIELDS)[number];

/**
 * One reading of a machine by its metrics agent. Counters grow from the boot of
 * the machine on; null is what its kernel does not report.
 */
export interface AgentReading
  extends Readonly<Record<ReadingField, number | null>> {
  /** The agent's own clock, milliseconds since the Unix epoch. */
  readonly ts_ms: number;
}

/** A reading, placed on the run's clock. */
export interface AgentSample extends AgentReading {
  /** Milliseconds since the run started, when the response was complete. */
  readonly t_ms: number;
}

/** `agent.json`. */
export interface AgentSeries {
  readonly schema: number;
  readonly addr: string;
  readonly interval_ms: 1000;
  /** In the order of `t_ms`; a scrape that failed leaves a gap. */
  readonly samples: readonly AgentSample[];
  /** Scrapes without a sample. */
  readonly missed: number;
}
