import {
  holdFiles,
  hostFiles,
  readHost,
} from "../lib/results/samples/host_reading.ts";
import { metricsHandler } from "./metrics.ts";

/** Whose readings are served to whom. */
interface HostMetricsOptions {
  /** Where the kernel's files are mounted. */
  readonly proc: string;
  readonly token?: string;
}

/**
 * Serves the readings of this machine, out of files that are
 * opened now.
 */
export function hostMetrics(
  { proc, token }: HostMetricsOptions,
): (request: Request) => Response {
  const readText = holdFiles(hostFiles(proc));
  return metricsHandler({
    ...(token !== undefined && { token }),
    os: Deno.build.os,
    read: () => readHost(Date.now(), proc, readText),
  });
}
