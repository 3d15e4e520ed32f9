import type { AgentReading } from "../lib/model/result/agent.ts";

/** Of the text exposition format. */
export const PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

type Metric = readonly [name: string, type: "counter" | "gauge", help: string];

const METRICS: Readonly<
  Record<Exclude<keyof AgentReading, "ts_ms">, Metric>
> = {
  cpu_seconds_total: [
    "cpu_seconds_total",
    "counter",
    "CPU time that was not idle, over all cores.",
  ],
  cpu_cores: ["cpu_cores", "gauge", "Cores of the machine."],
  mem_used_bytes: [
    "memory_used_bytes",
    "gauge",
    "Memory in use: total minus available.",
  ],
  mem_total_bytes: ["memory_total_bytes", "gauge", "Memory of the machine."],
  net_rx_bytes_total: [
    "network_receive_bytes_total",
    "counter",
    "Bytes received, loopback left out.",
  ],
  net_tx_bytes_total: [
    "network_transmit_bytes_total",
    "counter",
    "Bytes sent, loopback left out.",
  ],
  open_fds: ["open_fds", "gauge", "Open file descriptors of the machine."],
  load1: ["load1", "gauge", "Load average of the last minute."],
};

/** The reading in the text exposition format; what is unknown is left out. */
export function prometheusText(reading: AgentReading): string {
  return Object.entries(METRICS).flatMap(([field, [name, type, help]]) => {
    const value = reading[field as keyof typeof METRICS];
    const metric = `bench_agent_${name}`;
    return value === null ? [] : [
      `# HELP ${metric} ${help}`,
      `# TYPE ${metric} ${type}`,
      `${metric} ${value}`,
    ];
  }).join("\n") + "\n";
}
