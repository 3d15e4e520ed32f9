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

/**
 * How many of the shard's request slots are due: slot k of the run is due at
 * k / rate, and the shard has every `count`-th of them. A slot
 * that would be due at `endMs` or later is none.
 */
export function slotsDue(
  shard: Shard,
  perSecond: number,
  elapsedMs: number,
  endMs: number,
): number {
  const due = Math.min(
    Math.floor(elapsedMs * perSecond / 1_000) + 1,
    // Due before the end: rounding must not make one slot more of a whole number.
    Math.ceil(Number((endMs * perSecond / 1_000).toFixed(6))),
  );
  return Math.max(0, Math.ceil((due - shard.index) / shard.count));
}

/** When the shard's slot `index` (0-based) is due, in ms from the start. */
export function slotDueAt(
  shard: Shard,
  perSecond: number,
  index: number,
): number {
  return (shard.index + index * shard.count) * 1_000 / perSecond;
}
