import { errno, type Libc } from "./libc.ts";

/** Events of epoll(7). */
const EPOLLIN = 0x1;
const EPOLLOUT = 0x4;
const EPOLLERR = 0x8;
const EPOLLHUP = 0x10;
const EPOLLRDHUP = 0x2000;
const EPOLLET = 0x80000000;
const EPOLL_CLOEXEC = 0x80000;
const CTL_ADD = 1;

/** `struct epoll_event` is packed on x86-64 alone. */
const EVENT_BYTES = Deno.build.arch === "x86_64" ? 12 : 16;
const DATA_AT = EVENT_BYTES - 8;
const MOST_EVENTS = 256;

/** How long the thread may block for sockets while something else could come. */
const LEAST_BLOCK_MS = 1;
const MOST_BLOCK_MS = 4;
/** Waits in vain before the longer block. */
const PATIENCE = 16;

/** A descriptor that is watched. */
export interface Watched {
  /**
   * It may be read from, or written to, as it could not before.
   *
   * @param at when the kernel said so, on the run's clock
   */
  ready(readable: boolean, writable: boolean, at: number): void;
}

/**
 * Waits for many sockets at once by epoll(7).
 *
 * While an exchange is under way the thread blocks in the kernel, for a few
 * milliseconds at most, and gives the event loop its turn between two waits.
 * Nothing runs while no exchange is under way.
 */
export class Poller {
  readonly #libc: Libc;
  readonly #now: () => number;
  readonly #epoll: number;
  readonly #events = new Uint8Array(EVENT_BYTES * MOST_EVENTS);
  readonly #view = new DataView(this.#events.buffer);
  readonly #watched = new Map<number, Watched>();
  #waiting = 0;
  #running = false;
  #inVain = 0;

  constructor(libc: Libc, now: () => number) {
    this.#libc = libc;
    this.#now = now;
    this.#epoll = libc.epoll_create1(EPOLL_CLOEXEC);
    if (this.#epoll < 0) {
      throw new Error(`epoll_create1 failed with error ${errno(libc)}`);
    }
  }

  /** Watches a descriptor until it is closed; each change is reported once. */
  watch(fd: number, watched: Watched): void {
    const event = new Uint8Array(EVENT_BYTES);
    const view = new DataView(event.buffer);
    view.setUint32(0, (EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET) >>> 0, true);
    view.setUint32(DATA_AT, fd, true);
    this.#watched.set(fd, watched);
    if (this.#libc.epoll_ctl(this.#epoll, CTL_ADD, fd, event) === 0) return;
    const error = errno(this.#libc);
    this.#watched.delete(fd);
    throw new Error(`epoll_ctl failed with error ${error}`);
  }

  /** The descriptor is about to be closed, which ends the watching. */
  forget(fd: number): void {
    this.#watched.delete(fd);
  }

  /** Somebody waits for a descriptor: the poller runs from here on. */
  waits(): void {
    this.#waiting++;
    if (this.#running) return;
    this.#running = true;
    this.#inVain = 0;
    setImmediate(this.#poll);
  }

  /** A wait is over. */
  waited(): void {
    this.#waiting--;
  }

  close(): void {
    this.#libc.close(this.#epoll);
  }

  /** Promises that were settled run to their end before the next one of these. */
  readonly #poll = (): void => {
    if (this.#waiting === 0) {
      this.#running = false;
      return;
    }
    const block = this.#inVain > PATIENCE ? MOST_BLOCK_MS : LEAST_BLOCK_MS;
    const count = this.#libc.epoll_wait(
      this.#epoll,
      this.#events,
      MOST_EVENTS,
      block,
    );
    if (count > 0) {
      this.#inVain = 0;
      this.#report(count, this.#now());
    } else this.#inVain++;
    setImmediate(this.#poll);
  };

  #report(count: number, at: number): void {
    const view = this.#view;
    for (let index = 0; index < count; index++) {
      const start = index * EVENT_BYTES;
      const events = view.getUint32(start, true);
      const watched = this.#watched.get(view.getUint32(start + DATA_AT, true));
      watched?.ready(
        (events & (EPOLLIN | EPOLLERR | EPOLLHUP | EPOLLRDHUP)) !== 0,
        (events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) !== 0,
        at,
      );
    }
  }
}
