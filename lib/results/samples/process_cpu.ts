import process from "node:process";

/** CPU seconds this process has used so far, all threads together. */
export function processCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}
