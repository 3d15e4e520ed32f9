import { openLibc } from "./libc.ts";

/** Of `netinet/in.h` and `netinet/tcp.h`, alike on Linux and macOS. */
const IPPROTO_TCP = 6;
const TCP_NODELAY = 1;
/** The longest address is one of IPv6; its port is at the same place as that of IPv4. */
const ADDRESS_BYTES = 28;
const PORT_AT = 2;
/** Files that other threads may have opened in the meantime, at most. */
const MOST_OPENED = 1_024;

/** The ends of a connection. */
interface Ports {
  readonly local: number;
  readonly remote: number;
}

/**
 * Sets `TCP_NODELAY` (RFC 9293 section 3.7.4) of connections that the runtime has no
 * method for, which are found by their number among the open files.
 */
export class NoDelay implements Disposable {
  readonly #libc;
  readonly #address = new Uint8Array(ADDRESS_BYTES);
  readonly #length = new Int32Array(1);
  readonly #on = Int32Array.of(1);
  readonly #option = new Int32Array(1);

  private constructor(libc: NonNullable<ReturnType<typeof openFunctions>>) {
    this.#libc = libc;
  }

  /** Undefined where the system has no such functions. */
  static open(): NoDelay | undefined {
    const libc = openFunctions();
    return libc && new NoDelay(libc);
  }

  /** The number that the next file gets if no other thread opens or closes one first. */
  next(): number {
    const { dup, close } = this.#libc.symbols;
    const free = dup(2);
    close(free);
    return free;
  }

  /**
   * Sets it for a connection between those ports which does not have it.
   *
   * @param likely what `next` returned just before the connection was begun
   * @returns whether there is one
   */
  set(likely: number, ports: Ports): boolean {
    // Lower where another thread has closed a file since then.
    return this.#setBetween(likely, likely + MOST_OPENED, ports) ||
      this.#setBetween(0, likely, ports);
  }

  #setBetween(from: number, to: number, { local, remote }: Ports): boolean {
    const { getsockname, getpeername } = this.#libc.symbols;
    for (let file = from; file < to; file++) {
      if (
        this.#port(getsockname, file) === local &&
        this.#port(getpeername, file) === remote && this.#isOff(file)
      ) return this.#setOn(file);
    }
    return false;
  }

  #setOn(file: number): boolean {
    const { setsockopt } = this.#libc.symbols;
    const bytes = this.#on.byteLength;
    return setsockopt(file, IPPROTO_TCP, TCP_NODELAY, this.#on, bytes) === 0;
  }

  [Symbol.dispose](): void {
    this.#libc.close();
  }

  #port(
    of: (file: number, address: Uint8Array, length: Int32Array) => number,
    file: number,
  ): number | undefined {
    const address = this.#address;
    this.#length[0] = address.byteLength;
    return of(file, address, this.#length) === 0
      ? address[PORT_AT]! << 8 | address[PORT_AT + 1]!
      : undefined;
  }

  #isOff(file: number): boolean {
    this.#length[0] = this.#option.byteLength;
    const { getsockopt } = this.#libc.symbols;
    const result = getsockopt(
      file,
      IPPROTO_TCP,
      TCP_NODELAY,
      this.#option,
      this.#length,
    );
    return result === 0 && this.#option[0] === 0;
  }
}

function openFunctions() {
  const address = ["i32", "buffer", "buffer"] as const;
  const option = ["i32", "i32", "i32", "buffer"] as const;
  return openLibc({
    dup: { parameters: ["i32"], result: "i32" },
    close: { parameters: ["i32"], result: "i32" },
    getsockname: { parameters: [...address], result: "i32" },
    getpeername: { parameters: [...address], result: "i32" },
    getsockopt: { parameters: [...option, "buffer"], result: "i32" },
    setsockopt: { parameters: [...option, "u32"], result: "i32" },
  });
}
