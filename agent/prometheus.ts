import type { AgentReading } from "../lib/model/result/agent.ts";

/** Of the text exposition format. */
export const PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

interface Metric {
  readonly field: Exclude<keyof AgentReading, "ts_ms">;
  readonly name: string;
  readonly type: "counter" | "gauge";
  readonly help: string;
}

const METRICS: readonly Metric[] = [
  {
    field: "cpu_seconds_total",
    name: "bench_agent_cpu_seconds_total",
    type: "counter",
    help: "CPU time that was not idle, over all cores.",
  },
  {
    field: "cpu_cores",
    name: "bench_agent_cpu_cores",
    type: "gauge",
    help: "Cores of the machine.",
  },
  {
    field: "mem_used_bytes",
    name: "bench_agent_memory_used_bytes",
    type: "gauge",
    help: "Memory in use: total minus available.",
  },
  {
    field: "mem_total_bytes",
    name: "bench_agent_memory_total_bytes",
    type: "gauge",
    help: "Memory of the machine.",
  },
  {
    field: "net_rx_bytes_total",
    name: "bench_agent_network_receive_bytes_total",
    type: "counter",
    help: "Bytes received, loopback left out.",
  },
  {
    field: "net_tx_bytes_total",
    name: "bench_agent_network_transmit_bytes_total",
    type: "counter",
    help: "Bytes sent, loopback left out.",
  },
  {
    field: "open_fds",
    name: "bench_agent_open_fds",
    type: "gauge",
    help: "Open file descriptors of the machine.",
  },
  {
    field: "load1",
    name: "bench_agent_load1",
    type: "gauge",
    help: "Load average of the last minute.",
  },
];

/** The reading in the text exposition format; what is unknown is left out. */
export function prometheusText(reading: AgentReading): string {
  return METRICS.flatMap(({ field, name, type, help }) => {
    const value = reading[field];
    return value === null ? [] : [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      `${name} ${value}`,
    ];
  }).join("\n") + "\n";
}
