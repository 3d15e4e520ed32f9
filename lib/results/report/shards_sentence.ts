import type { ShardSummary } from "../../model/result/run.ts";
import { latencyText, plural } from "./figures.ts";

/** Of how many shards a run is, and which were lost. */
export function shardsSentence(shards: readonly ShardSummary[]): string {
  const lost = shards.flatMap(({ shard, lost_at_ms }) =>
    lost_at_ms === null
      ? []
      : [`shard ${shard} was lost after ${latencyText(lost_at_ms)}`]
  );
  return [`Run by ${plural(shards.length, "shard")}`, ...lost].join("; ") +
    ".";
}
