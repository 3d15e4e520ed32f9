/** Who asks to send a request; a virtual user is one. */
export interface Visitor {
  /** The run was told to end at once. */
  readonly stopped: boolean;
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** Leave to send one request. */
export interface Ticket {
  /**
   * What the response time counts from, on the run's clock: in the open
   * executor when the slot was due, if the target kept every VU busy, else the
   * actual start. NaN in the other executors: it is the service time.
   */
  readonly dueAt: number;
}

/** A request that waited for nothing. */
export const UNHINDERED: Ticket = { dueAt: NaN };

/** What every request passes before it is sent. */
export interface Gate {
  /** A ticket at once, or a promise of one when the request has to wait. */
  enter(visitor: Visitor): Ticket | Promise<Ticket>;
}

/** Without a ceiling: nothing waits. */
export const OPEN_DOOR: Gate = { enter: () => UNHINDERED };
