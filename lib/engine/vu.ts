import type { Scope } from "../expr/names.ts";
import type { AttemptContext } from "../protocols/protocol.ts";
import type { Outcome, Sink } from "../result/iteration.ts";
import { type Reply, serviceTime } from "../result/reply.ts";
import type { Clock } from "../time/clock.ts";
import type { HttpConnections } from "../wire/connections.ts";
import type { CompiledStep } from "./compiled_step.ts";
import type { Stop } from "./stop.ts";

/** What all VUs of a thread share. */
export interface VuTools {
  readonly clock: Clock;
  readonly stop: Stop;
  readonly sink: Sink;
  /** Number of variable and pool slots. */
  readonly slots: { readonly variables: number; readonly pools: number };
  /** Copies every answer out of its buffer, so that traces may keep it. */
  readonly keepsReplies: boolean;
}

/**
 * One simulated user: its variables, its row, its connections. Variables live
 * for one iteration; connections live as long as the VU.
 */
export class VirtualUser implements AttemptContext {
  readonly scope: Scope;

  constructor(
    readonly id: number,
    readonly connections: HttpConnections,
    private readonly tools: VuTools,
  ) {
    const { variables, pools } = tools.slots;
    this.scope = {
      variables: new Array(variables).fill(undefined),
      rows: new Array(pools).fill(undefined),
    };
  }

  get keepsReplies(): boolean {
    return this.tools.keepsReplies;
  }

  /** The run was told to end at once. */
  get stopped(): boolean {
    return this.tools.stop.signal.aborted;
  }

  now(): number {
    return this.tools.clock.now();
  }

  sleep(ms: number): Promise<void> {
    return this.tools.clock.sleep(ms, this.tools.stop.signal);
  }

  /** Hands one attempt's latency to the listener; nothing was sent without a reply. */
  sample(step: CompiledStep, reply: Reply | undefined, outcome: Outcome): void {
    if (!reply || !step.requests) return;
    const latency = serviceTime(reply.marks);
    this.tools.sink.sample(
      step.index,
      outcome,
      reply.marks.end,
      latency,
      latency,
      reply.bytesSent,
      reply.bytesReceived,
    );
  }

  /** Forgets what the last iteration extracted. */
  reset(): void {
    this.scope.variables.fill(undefined);
    this.scope.rows.fill(undefined);
  }
}
