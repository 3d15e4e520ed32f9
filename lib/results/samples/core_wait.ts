import { waitedMs } from "./process_text.ts";

/**
 * How long the calling thread has been ready to run and waited for a core so
 * far, in milliseconds; undefined where the system does not report it. CPU use does
 * not show it: a thread that gets half a core when it needs a whole one looks
 * half idle.
 */
export function coreWaitMs(): number | undefined {
  try {
    return waitedMs(Deno.readTextFileSync("/proc/thread-self/schedstat"));
  } catch {
    return undefined;
  }
}
