/**
 * What a metrics agent reads from its machine. Counters grow from the boot of
 * the machine on; null is what its kernel does not report.
 */
export interface AgentReading {
  /** The agent's own clock, milliseconds since the Unix epoch. */
  readonly ts_ms: number;
  /** CPU time that was not idle, over all cores. */
  readonly cpu_seconds_total: number | null;
  readonly cpu_cores: number | null;
  /** Total minus available. */
  readonly mem_used_bytes: number | null;
  readonly mem_total_bytes: number | null;
  /** All interfaces but loopback. */
  readonly net_rx_bytes_total: number | null;
  readonly net_tx_bytes_total: number | null;
  readonly open_fds: number | null;
  /** Load average of the last minute. */
  readonly load1: number | null;
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

/** The numbers of a reading, in the order they are written. */
export const READING_FIELDS = [
  "cpu_seconds_total",
  "cpu_cores",
  "mem_used_bytes",
  "mem_total_bytes",
  "net_rx_bytes_total",
  "net_tx_bytes_total",
  "open_fds",
  "load1",
] as const satisfies readonly (keyof AgentReading)[];
