import { type Marks, startMarks } from "../../model/result/response.ts";
import type { Clock } from "../../base/time/clock.ts";
import type { AllowList } from "./allow_list.ts";
import { Addresses } from "./addresses.ts";
import { connectError } from "./connect_error.ts";
import { Deadline, Deadlines } from "./deadlines.ts";
import { DialAttempt } from "./dial_attempt.ts";
import type { Origin } from "./origin.ts";
import type { RouteOptions } from "./route.ts";
import { Secure } from "./secure.ts";
import type { Connected, TlsOptions } from "./socket.ts";
import { WireError } from "./wire_error.ts";

export type { TlsOptions };

/** A connected stream and how long getting there took. */
export interface Dialed extends Connected {
  /** `start`, `dns`, `connect` and `tls` are set; NaN where there was no such phase. */
  readonly marks: Marks;
  /**
   * Runs since the start of the dial; the user of the stream owns it now. To
   * start another for what comes next would be late: deadlines of one length
   * end in the order they were started.
   */
  readonly deadline: Deadline;
}

/** What all connections of one thread share. */
export class Network {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
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
    const attempt = new DialAttempt(timeoutMs);
    const deadline = new Deadline(attempt);
    this.deadlines.start(deadline, marks.start, timeoutMs);
    try {
      const connected = await this.connect(origin, attempt, marks, alpn);
      return { ...connected, marks, deadline };
    } catch (error) {
      this.deadlines.stop(deadline);
      throw error;
    }
  }

  /** The steps of `dial`, under a deadline the caller has started. */
  async connect(
    origin: Origin,
    attempt: DialAttempt,
    marks: Marks,
    alpn: readonly string[],
  ): Promise<Connected> {
    this.check(origin);
    try {
      return await this.#reach(origin, attempt, marks, alpn);
    } catch (error) {
      marks.failed = attempt.phase;
      throw error;
    }
  }

  async #reach(
    origin: Origin,
    attempt: DialAttempt,
    marks: Marks,
    alpn: readonly string[],
  ): Promise<Connected> {
    const addresses = await this.#resolve(
      this.#proxy ?? origin,
      attempt,
      marks,
    );
    let failed: WireError | undefined;
    for (const address of addresses) {
      attempt.phase = "connect";
      try {
        return await this.#connectTo(address, origin, attempt, marks, alpn);
      } catch (error) {
        // Only an address that cannot be reached makes the next one worth trying.
        if (!(error instanceof WireError) || !RETRIED.has(error.code)) {
          throw error;
        }
        this.#addresses.avoid(address);
        failed = failed === undefined ? error : new WireError(
          failed.code,
          `${failed.message}; ${error.message}`,
        );
      }
    }
    throw failed!;
  }

  /** Stops the timers. Connections belong to their owners. */
  close(): void {
    this.deadlines.close();
  }

  async #connectTo(
    address: string,
    origin: Origin,
    attempt: DialAttempt,
    marks: Marks,
    alpn: readonly string[],
  ): Promise<Connected> {
    const { family } = origin;
    const { port } = this.#proxy ?? origin;
    const tunnel = this.#proxy && {
      proxy: this.#proxy,
      authority: hostPort(origin.host, origin.port),
    };
    const socket = await attempt.race(
      this.#secure.open(address, port, attempt.signal, tunnel),
      (late) => late.discard(),
    ).catch((error) => {
      throw error instanceof WireError
        ? error
        : connectError(error, hostPort(address, port));
    });
    marks.connect = this.clock.now();
    if (family === "http") return { stream: socket.plain() };
    attempt.phase = "tls";
    try {
      const connected = await attempt.race(
        socket.secure(origin.host, alpn),
        (late) => late.stream.close(),
      );
      marks.tls = this.clock.now();
      return connected;
    } catch (error) {
      socket.discard();
      throw error;
    }
  }

  async #resolve(
    { host, port }: { readonly host: string; readonly port: number },
    attempt: DialAttempt,
    marks: Marks,
  ): Promise<readonly string[]> {
    const known = this.#addresses.known(host, port);
    if (known) return this.#addresses.inTurn(host, known);
    const found = await attempt.race(this.#addresses.lookUp(host), () => {});
    marks.dns = this.clock.now();
    return this.#addresses.inTurn(host, found);
  }
}

const RETRIED = new Set(["refused", "unreachable", "connect"]);

function hostPort(address: string, port: number): string {
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}
