import * as dns from "node:dns/promises";
import type { Clock } from "../../base/time/clock.ts";
import {
  type Marks,
  type Phase,
  startMarks,
} from "../../model/result/response.ts";
import type { Connected, RouteOptions, TlsOptions } from "./byte_stream.ts";
import type { TlsServer } from "./certified_tls.ts";
import { direct } from "./direct_stream.ts";
import { Deadline, Deadlines, type Expiring } from "./deadlines.ts";
import { HandOver } from "./hand_over.ts";
import { Outbox } from "./outbox.ts";
import { hostPort, isAddress } from "./host.ts";
import type { Origin } from "./origin.ts";
import { EXHAUSTED } from "../../model/result/failure.ts";
import { Secure, type Socket } from "./secure.ts";
import type { AllowList } from "./url.ts";
import {
  connectError,
  lookupError,
  timedOut,
  WireError,
} from "./wire_error.ts";

/** How long an address that did not let anybody in is tried last. */
const AVOIDED_MS = 10_000;

/**
 * The addresses of hosts. New connections take those of a name in turn, so that
 * all of what stands behind it gets its share.
 */
export class Addresses {
  readonly #pinned: NonNullable<RouteOptions["resolve"]>;
  readonly #lookups = new Map<string, Promise<readonly string[]>>();
  readonly #turns = new Map<string, number>();
  readonly #avoided = new Map<string, number>();

  /** @param first whose turn it is first: another one in each thread */
  constructor(
    readonly resolve: RouteOptions["resolve"],
    readonly now: () => number,
    readonly first: number,
  ) {
    this.#pinned = resolve ?? {};
  }

  /** Whether it takes no look-up to know them. */
  known(host: string, port: number): readonly string[] | undefined {
    return isAddress(host) ? [host] : this.#pinned[`${host}:${port}`];
  }

  /**
   * Looks a name up. A look-up under way is shared: at the start of a run all
   * VUs ask at once.
   *
   * @throws {WireError} `dns`
   */
  lookUp(host: string): Promise<readonly string[]> {
    const shared = this.#lookups.get(host);
    if (shared) return shared;
    const fresh = dns.lookup(host, { all: true }).then(
      (found) => {
        if (found.length === 0) throw lookupError({ code: "ENODATA" }, host);
        return found.map((each) => each.address);
      },
      (error) => {
        throw lookupError(error, host);
      },
    ).finally(() => this.#lookups.delete(host));
    this.#lookups.set(host, fresh);
    return fresh;
  }

  /** The order in which the next connection tries them. */
  inTurn(host: string, addresses: readonly string[]): readonly string[] {
    if (addresses.length < 2) return addresses;
    // Name servers and resolvers respond in any order.
    const all = addresses.toSorted();
    const open = all.filter((each) => !this.#isAvoided(each));
    const rest = all.filter((each) => this.#isAvoided(each));
    const turn = this.#turns.get(host) ?? this.first;
    this.#turns.set(host, turn + 1);
    const at = open.length === 0 ? 0 : turn % open.length;
    return [...open.slice(at), ...open.slice(0, at), ...rest];
  }

  /** Its last dial failed. */
  avoid(address: string): void {
    this.#avoided.set(address, this.now() + AVOIDED_MS);
  }

  #isAvoided(address: string): boolean {
    const until = this.#avoided.get(address);
    return until !== undefined && this.now() < until;
  }
}

/** The steps of a dial, in the words of its timeout message. */
const DOING = {
  dns: "looking up the host",
  connect: "connecting",
  tls: "in the TLS handshake",
} as const satisfies Partial<Record<Phase, string>>;

/** The part of a deadline that falls into the dial. */
class DialAttempt implements Expiring {
  phase: keyof typeof DOING = "dns";
  #late = new AbortController();
  #reject: (reason: unknown) => void = () => {};

  /** @param proxy that it goes through, as `host:port` */
  constructor(readonly timeoutMs: number, readonly proxy?: string) {}

  /** Aborts when the time is up, for work that can be stopped. */
  get signal(): AbortSignal {
    return this.#late.signal;
  }

  expire(): void {
    const through = this.proxy !== undefined && this.phase === "connect"
      ? ` through proxy \`${this.proxy}\``
      : "";
    const doing = `${DOING[this.phase]}${through}`;
    const { code, message } = timedOut(this.timeoutMs, doing);
    this.giveUp(new WireError(code, message));
  }

  /** Ends what is under way. */
  giveUp(why: WireError): void {
    this.#reject(why);
    this.#late.abort();
  }

  /** Another address is tried. */
  next(): void {
    this.phase = "connect";
    if (this.signal.aborted) this.#late = new AbortController();
  }

  /**
   * The outcome of `work`, or a `timeout` when the time is up first; what comes
   * after that is handed to `discard`.
   */
  race<T>(work: Promise<T>, discard: (late: T) => void): Promise<T> {
    const { signal } = this;
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      work.then(
        (value) => signal.aborted ? discard(value) : resolve(value),
        reject,
      );
    });
  }
}

export type { TlsOptions };

/** A connected stream and how long getting there took. */
interface Dialed extends Connected {
  /** `start`, `dns`, `connect` and `tls` are set; NaN where there was no such phase. */
  readonly marks: Marks;
  /**
   * Runs since the start of the dial; the user of the stream owns it now. To
   * start another for what comes next would be late: deadlines of one length
   * end in the order they were started.
   */
  readonly deadline: Deadline;
}

/** State that all connections of one thread share. */
export class Network {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly handOver: HandOver;
  readonly outbox: Outbox;
  readonly #allowList: AllowList;
  readonly #secure: Secure;
  readonly #addresses: Addresses;
  readonly #proxy: RouteOptions["proxy"];

  constructor(options: {
    readonly allowList: AllowList;
    readonly tls: TlsOptions;
    readonly clock: Clock;
    readonly route?: RouteOptions | undefined;
    /** Among the threads of a run. */
    readonly thread?: number | undefined;
  }) {
    this.clock = options.clock;
    this.deadlines = new Deadlines(options.clock);
    this.handOver = new HandOver(options.clock);
    this.outbox = new Outbox(options.clock);
    this.#allowList = options.allowList;
    this.#secure = new Secure(options.tls);
    const { route, thread = 0 } = options;
    this.#addresses = new Addresses(
      route?.resolve,
      () => this.clock.now(),
      thread,
    );
    this.#proxy = route?.proxy;
  }

  /**
   * Refuses an origin that is not on the allow-list.
   *
   * @throws {WireError} `forbidden-host`
   */
  check(origin: Origin): void {
    const why = this.#allowList.refusal(origin);
    if (why !== undefined) throw new WireError("forbidden-host", why);
  }

  /**
   * Connects to `origin`, with TLS for the https family.
   *
   * @param timeoutMs from here to the end of the dial, and on to the end of
   *   what the deadline is handed to
   * @param alpn protocols to offer; nothing is offered when empty
   * @param marks filled in as far as the dial gets
   * @throws {WireError} `forbidden-host`, `dns`, `refused`, `unreachable`,
   *   `connect`, `reset`, `proxy`, `tls` or `timeout`
   */
  async dial(
    origin: Origin,
    timeoutMs: number,
    alpn: readonly string[] = [],
    marks: Marks = startMarks(this.clock.now()),
  ): Promise<Dialed> {
    this.check(origin);
    const proxy = this.#proxy && hostPort(this.#proxy.host, this.#proxy.port);
    const attempt = new DialAttempt(timeoutMs, proxy);
    const deadline = new Deadline(attempt);
    this.deadlines.start(deadline, marks.start, timeoutMs);
    try {
      const connected = await this.#reach(origin, attempt, marks, alpn);
      return { ...connected, marks, deadline };
    } catch (error) {
      this.deadlines.stop(deadline);
      marks.failed = attempt.phase;
      throw error;
    }
  }

  /** Stops the timers. Connections belong to their owners. */
  close(): void {
    this.deadlines.close();
    this.#secure.close();
  }

  /**
   * Tries one address after the other. In one function: thousands of VUs may dial
   * at once, and each that waits for another holds half a kilobyte.
   */
  async #reach(
    origin: Origin,
    attempt: DialAttempt,
    marks: Marks,
    alpn: readonly string[],
  ): Promise<Connected> {
    const { host, port } = this.#proxy ?? origin;
    const tunnel = this.#proxy && {
      proxy: this.#proxy,
      authority: hostPort(origin.host, origin.port),
    };
    const addresses = this.#addresses.known(host, port) ??
      await this.#lookUp(host, attempt, marks);
    const tls = origin.family === "http"
      ? undefined
      : { host: origin.host, alpn };
    let failed: WireError | undefined;
    let left = addresses.length;
    for (const address of this.#addresses.inTurn(host, addresses)) {
      attempt.next();
      const to = `${this.#proxy ? "proxy " : ""}\`${hostPort(address, port)}\``;
      // One that does not respond leaves time for the others.
      const share = --left > 0
        ? this.#share(attempt, to, addresses)
        : undefined;
      try {
        const socket = await attempt.race(
          this.#secure.open(
            { address, port, signal: attempt.signal, tls },
            tunnel,
          ),
          (late) => late.discard(),
        );
        if (share) this.deadlines.stop(share);
        marks.connect = this.clock.now();
        return tls === undefined
          ? { stream: direct(socket.connection) }
          : await this.#handshake(socket, tls, attempt, marks);
      } catch (thrown) {
        if (share) this.deadlines.stop(share);
        const error = thrown instanceof WireError
          ? thrown
          : connectError(thrown, to);
        // Only an address that cannot be reached makes the next one worth trying.
        if (!RETRIED.has(error.code)) throw error;
        this.#addresses.avoid(address);
        failed = failed === undefined ? error : new WireError(
          failed.code,
          `${failed.message}; ${error.message}`,
        );
      }
    }
    throw failed!;
  }

  /** The time of one of several addresses, which is the same for all of them. */
  #share(
    attempt: DialAttempt,
    to: string,
    { length }: readonly string[],
  ): Deadline {
    const shareMs = attempt.timeoutMs / length;
    const why = new WireError(
      "unreachable",
      `Cannot connect to ${to}: no response within ${Math.round(shareMs)} ms`,
    );
    const share = new Deadline({ expire: () => attempt.giveUp(why) });
    this.deadlines.start(share, this.clock.now(), shareMs);
    return share;
  }

  async #handshake(
    socket: Socket,
    tls: TlsServer,
    attempt: DialAttempt,
    marks: Marks,
  ): Promise<Connected> {
    attempt.phase = "tls";
    try {
      const connected = await attempt.race(
        socket.secure(tls),
        (late) => late.stream.close(),
      );
      marks.tls = this.clock.now();
      return connected;
    } catch (error) {
      socket.discard();
      throw error;
    }
  }

  async #lookUp(
    host: string,
    attempt: DialAttempt,
    marks: Marks,
  ): Promise<readonly string[]> {
    const found = await attempt.race(this.#addresses.lookUp(host), () => {});
    marks.dns = this.clock.now();
    return found;
  }
}

const RETRIED = new Set(["refused", "unreachable", "connect", EXHAUSTED]);
