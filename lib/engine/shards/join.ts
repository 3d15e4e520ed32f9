import { BenchError } from "../../base/errors/bench_error.ts";
import type { Clock } from "../../base/time/clock.ts";
import type { IdWords } from "../../results/traces/trace_ids.ts";
import type { ByteStream } from "../../wire/net/byte_stream.ts";
import type { Shard } from "../plan/shard.ts";
import {
  type Agreement,
  type Credentials,
  introduce,
  ShardRefused,
} from "./handshake.ts";
import { Frames, Link } from "./link.ts";
import type { FromShard, ToShard } from "./message.ts";

/** The options of a shard that joins a run. */
export interface JoinOptions extends Credentials {
  readonly shard: Shard;
  readonly agreement: Agreement;
  /** Connects to the lead. */
  readonly connect: () => Promise<ByteStream>;
  /** As the lead is called in messages. */
  readonly lead: string;
  readonly joinTimeoutMs: number;
  readonly clock: Clock;
  /** Gives up when it aborts. */
  readonly signal: AbortSignal;
}

/** A shard's end of a run. */
export interface Joined {
  readonly link: Link<FromShard, ToShard>;
  /** Ids of the run's traces. */
  readonly ids: IdWords;
  /** Messages after the first; set before the next one arrives. */
  take: (message: ToShard) => void;
}

/** How long between two tries to reach the lead. */
const PAUSE_MS = 250;

/**
 * Joins a run: tries until the lead responds, since shards start in any order.
 *
 * @throws {ShardRefused} when the lead does not let it in, or does not respond
 */
export async function join(options: JoinOptions): Promise<Joined> {
  const { clock, joinTimeoutMs, lead, signal } = options;
  const end = clock.now() + joinTimeoutMs;
  for (;;) {
    try {
      return await attempt(options, end);
    } catch (error) {
      if (error instanceof BenchError) throw error;
      if (clock.now() + PAUSE_MS > end || signal.aborted) {
        throw new ShardRefused(
          signal.aborted
            ? "stopped before the run began"
            : `the lead at ${lead} could not be reached within ${
              joinTimeoutMs / 1_000
            } s: ${(error as Error).message}`,
          "start shard 0 at that address, or wait longer with --join-timeout",
        );
      }
    }
    await clock.sleep(PAUSE_MS, signal);
  }
}

/** @param end when it gives up: whatever listens there may accept, and say nothing */
async function attempt(options: JoinOptions, end: number): Promise<Joined> {
  const { clock, signal } = options;
  const over = new AbortController();
  const wait = Math.max(PAUSE_MS, end - clock.now());
  const late = clock.sleep(wait, AbortSignal.any([signal, over.signal]))
    .then(() => Promise.reject(new Error("what listens there says nothing")));
  let frames: Frames | undefined;
  const connected = options.connect().then((stream) => {
    frames = new Frames(stream, () => clock.now());
    if (over.signal.aborted) frames.close();
    return letIn(frames, options);
  });
  try {
    return await Promise.race([connected, late]);
  } catch (error) {
    frames?.close();
    throw error;
  } finally {
    over.abort();
  }
}

async function letIn(frames: Frames, options: JoinOptions): Promise<Joined> {
  const { clock, token, shard, agreement } = options;
  const nonces = await introduce(frames, options, shard);
  const link = new Link<FromShard, ToShard>(
    frames,
    clock,
    "shard",
    token,
    nonces,
  );
  return await admission(link, agreement);
}

async function admission(
  link: Link<FromShard, ToShard>,
  agreement: Agreement,
): Promise<Joined> {
  const response = Promise.withResolvers<Joined>();
  let joined: Joined | undefined;
  void link.listen((message) => {
    if (message.type === "turned-away") {
      response.reject(new ShardRefused(message.message));
    }
    if (joined) return joined.take(message);
    if (message.type !== "joined") return;
    joined = { link, ids: message.ids, take: () => {} };
    response.resolve(joined);
  });
  void link.lost.then((why) => response.reject(new Error(why)));
  void link.send({ type: "join", agreement });
  return await response.promise;
}
