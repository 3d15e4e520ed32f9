import type { Clock } from "../../base/time/clock.ts";
import { startMarks } from "../../model/result/response.ts";
import { Deadline } from "../net/deadlines.ts";
import { Network } from "../net/network.ts";
import type { Origin } from "../net/origin.ts";
import { MemoryStream } from "./memory_stream.ts";

/** Milliseconds. */
export const LONGEST_SLEEP_MS = 1;

/** The same time to one that does not wait for what a flow waits for. */
class RehearsalClock implements Clock {
  stopped = false;
  readonly arrival?: () => number;

  constructor(readonly clock: Clock) {
    if (clock.arrival) this.arrival = () => clock.arrival!();
  }

  now(): number {
    return this.clock.now();
  }

  wall(): number {
    return this.clock.wall();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (this.stopped) return new Promise(() => {});
    return this.clock.sleep(Math.min(ms, LONGEST_SLEEP_MS), signal);
  }
}

/** A network in memory: every host is there, and no socket is opened. */
export class RehearsalNetwork extends Network {
  readonly #clock: RehearsalClock;
  /** Open connections: each leads to the VU that waits for it. */
  readonly streams = new Set<MemoryStream>();
  #dials = 0;

  /** @param body of every response, as JSON */
  constructor(
    options: ConstructorParameters<typeof Network>[0],
    readonly body: Uint8Array,
  ) {
    const clock = new RehearsalClock(options.clock);
    super({ ...options, clock });
    this.#clock = clock;
  }

  get frozen(): boolean {
    return this.#clock.stopped;
  }

  /**
   * No byte comes over a connection any more, and no sleep that begins ends. What is under
   * way waits for ever: to abort it would run code for failures, whose results have other
   * layouts, and V8 gives up optimized code that relied on there being one.
   */
  freeze(): void {
    this.#clock.stopped = true;
    this.close();
  }

  override async dial(
    origin: Origin,
    timeoutMs: number,
    alpn: readonly string[] = [],
    marks = startMarks(this.clock.now()),
  ): ReturnType<Network["dial"]> {
    this.check(origin);
    const deadline = new Deadline({ expire() {} });
    this.deadlines.start(deadline, marks.start, timeoutMs);
    await this.clock.sleep(0);
    marks.connect = this.clock.now();
    const stream = new MemoryStream(this.body, this);
    if (origin.family === "http" || alpn.length === 0) {
      return { stream, marks, deadline };
    }
    marks.tls = this.clock.now();
    // Which of them the server speaks is not known yet.
    const protocol = alpn[this.#dials++ % alpn.length]!;
    return { stream, protocol, marks, deadline };
  }
}
