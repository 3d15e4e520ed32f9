import type { AgentReading } from "../../lib/model/result/agent.ts";

/** What an agent reads of a machine with one core, all of it there. */
export const READING: AgentReading = {
  ts_ms: 42,
  cpu_seconds_total: 2,
  cpu_cores: 1,
  mem_used_bytes: 61_440,
  mem_total_bytes: 102_400,
  net_rx_bytes_total: 5,
  net_tx_bytes_total: 6,
  open_fds: 697,
  load1: 0.5,
};
