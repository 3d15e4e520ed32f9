import { type Marks, startMarks } from "../../model/result/response.ts";
import type { Clock } from "../../base/time/clock.ts";
import type { AllowList } from "./allow_list.ts";
import { Addresses } from "./addresses.ts";
import { connectError } from "./connect_error.ts";
import { Deadline, Deadlines } from "./deadlines.ts";
import { DialAttempt } from "./dial_attempt.ts";
import type { Origin } from "./origin.ts";
import type { RouteOptions } from "./route.ts";
import { Secure, type Socket } from "./secure.ts";
import type { Connected, TlsOptions } from "./socket.ts";
import { WireError } from "./wire_error.ts";

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
    this.check(origin);
    const attempt = new DialAttempt(timeoutMs);
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
    let failed: WireError | undefined;
    for (const address of this.#addresses.inTurn(host, addresses)) {
      attempt.phase = "connect";
      try {
        const socket = await attempt.race(
          this.#secure.open(address, port, attempt.signal, tunnel),
          (late) => late.discard(),
        );
        marks.connect = this.clock.now();
        if (origin.family === "http") return { stream: socket.connection };
        return await this.#handshake(socket, origin.host, attempt, marks, alpn);
      } catch (thrown) {
        const error = thrown instanceof WireError
          ? thrown
          : connectError(thrown, hostPort(address, port));
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

  async #handshake(
    socket: Socket,
    host: string,
    attempt: DialAttempt,
    marks: Marks,
    alpn: readonly string[],
  ): Promise<Connected> {
    attempt.phase = "tls";
    try {
      const connected = await attempt.race(
        socket.secure(host, alpn),
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

const RETRIED = new Set(["refused", "unreachable", "connect"]);

function hostPort(address: string, port: number): string {
  return address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
}
