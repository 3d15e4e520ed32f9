import { startMarks } from "../../model/result/response.ts";
import { Deadline } from "../net/deadlines.ts";
import { Network } from "../net/network.ts";
import type { Origin } from "../net/origin.ts";
import { MemoryStream } from "./memory_stream.ts";

/** A network in memory: every host is there, and no socket is opened. */
export class RehearsalNetwork extends Network {
  #dials = 0;

  /** @param body of every response, as JSON */
  constructor(
    options: ConstructorParameters<typeof Network>[0],
    readonly body: Uint8Array,
  ) {
    super(options);
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
    const stream = new MemoryStream(this.body);
    if (origin.family === "http" || alpn.length === 0) {
      return { stream, marks, deadline };
    }
    marks.tls = this.clock.now();
    // Which of them the server speaks is not known yet.
    const protocol = alpn[this.#dials++ % alpn.length]!;
    return { stream, protocol, marks, deadline };
  }
}
