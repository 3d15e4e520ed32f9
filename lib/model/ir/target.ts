/** A decoded target file: where a run may go, and how hard. */
export interface Target {
  readonly name: string;
  /** At least one absolute URL; their origins are the allow-list. */
  readonly base_urls: readonly string[];
  /** Safety ceilings; absent when unset. */
  readonly max_vus?: number;
  readonly max_rps?: number;
  /** Bounds one attempt; 30 s unless the file says otherwise. */
  readonly request_timeout_us: number;
  /** `host:port` of a metrics agent. */
  readonly agent_addr?: string;
  readonly disallowed_modes?: readonly Mode[];
}
import type { Mode } from "./mode.ts";
