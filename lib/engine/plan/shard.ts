/** One of `count` equal parts of a run: of a process, or of a worker thread in it. */
export interface Shard {
  /** 0-based. */
  readonly index: number;
  readonly count: number;
}

/** The whole run. */
export const WHOLE: Shard = { index: 0, count: 1 };

/**
 * The part of one of `threads` worker threads of the process that has `shard`. All
 * threads of all processes share the VUs and request slots of the run, though one
 * process may have more threads than another.
 */
export function threadShard(
  shard: Shard,
  thread: number,
  threads: number,
): Shard {
  return {
    index: shard.index + thread * shard.count,
    count: shard.count * threads,
  };
}

/** The id of the shard's VU `nth` (both 0-based): ids go round the shards. */
export function vuOf(shard: Shard, nth: number): number {
  return shard.index + nth * shard.count;
}

/** How many of the first `vus` VUs of the run are the shard's. */
export function vusIn(shard: Shard, vus: number): number {
  return Math.max(0, Math.ceil((vus - shard.index) / shard.count));
}
