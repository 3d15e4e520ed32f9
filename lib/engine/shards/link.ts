import { Buffer } from "node:buffer";
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  timingSafeEqual,
} from "node:crypto";
import { deserialize, serialize } from "node:v8";
import type { Clock } from "../../base/time/clock.ts";
import { type ByteStream, closeQuietly } from "../../wire/net/byte_stream.ts";

const HEAD_BYTES = 4;

/** Messages over a stream of bytes: the length in four bytes, then the message. */
export class Frames {
  #pending: Promise<void> = Promise.resolve();
  #waiting = 0;
  /** When bytes came last. */
  heardAt: number;

  constructor(
    readonly stream: ByteStream,
    readonly now: () => number,
  ) {
    this.heardAt = now();
  }

  /** Bytes that were not sent yet. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Writes after everything before. Rejects when the stream is broken. */
  write(message: Uint8Array): Promise<void> {
    const bytes = new Uint8Array(HEAD_BYTES + message.length);
    new DataView(bytes.buffer).setUint32(0, message.length);
    bytes.set(message, HEAD_BYTES);
    this.#waiting += bytes.length;
    const written = this.#pending.then(() => this.#write(bytes));
    this.#pending = written.catch(() => {});
    return written;
  }

  /**
   * The next message; undefined when the sender has finished.
   *
   * @param most how long it may be: before the sender has proven who it is, not long
   */
  async read(most: number): Promise<Uint8Array | undefined> {
    const head = await this.#read(HEAD_BYTES);
    if (!head) return undefined;
    const length = new DataView(head.buffer).getUint32(0);
    if (length > most) throw new Error(`a message of ${length} bytes`);
    return await this.#read(length);
  }

  close(): void {
    closeQuietly(this.stream);
  }

  async #write(bytes: Uint8Array): Promise<void> {
    let left = bytes;
    while (left.length > 0) {
      const written = await this.stream.write(left);
      left = left.subarray(written);
      this.#waiting -= written;
    }
  }

  async #read(length: number): Promise<Uint8Array | undefined> {
    const bytes = new Uint8Array(length);
    let have = 0;
    while (have < length) {
      const read = await this.stream.read(bytes.subarray(have));
      if (read === null) return undefined;
      have += read;
      this.heardAt = this.now();
    }
    return bytes;
  }
}

/** Which end of a link: each seals with a key of its own. */
type End = "lead" | "shard";

/** The random values that both ends chose for one link. */
export interface Nonces {
  readonly lead: string;
  readonly shard: string;
}

/**
 * Shows that `end` knows the token, for this link alone. The token never travels.
 *
 * @param said what the end says of itself, which is proven with it
 */
export function proofOf(
  token: string,
  end: End,
  nonces: Nonces,
  said: string,
): string {
  return createHmac("sha256", token)
    .update(JSON.stringify([end, nonces.lead, nonces.shard, said]))
    .digest("hex");
}

/** Compares in a time that does not depend on where they differ. */
export function isSameProof(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

const ALGORITHM = "aes-256-gcm";
const TAG_BYTES = 16;

/**
 * Seals the messages of one direction (AES-256-GCM, the key derived by HKDF from
 * token and nonces): without the token they cannot be read, changed, repeated
 * or left out.
 */
class Seal {
  readonly #key: Uint8Array;
  #count = 0n;

  /** @param sender whose messages they are */
  constructor(token: string, { lead, shard }: Nonces, sender: End) {
    const salt = `${lead}${shard}`;
    this.#key = new Uint8Array(
      hkdfSync("sha256", token, salt, `bench shard link, ${sender}`, 32),
    );
  }

  close(plain: Uint8Array): Uint8Array {
    const cipher = createCipheriv(ALGORITHM, this.#key, this.#next());
    const text = cipher.update(plain);
    return Buffer.concat([text, cipher.final(), cipher.getAuthTag()]);
  }

  /** @throws {Error} when it is not the next message of who has the key */
  open(sealed: Uint8Array): Uint8Array {
    const at = sealed.length - TAG_BYTES;
    if (at < 0) throw new Error("a message is too short");
    const decipher = createDecipheriv(ALGORITHM, this.#key, this.#next());
    decipher.setAuthTag(sealed.subarray(at));
    const text = decipher.update(sealed.subarray(0, at));
    return Buffer.concat([text, decipher.final()]);
  }

  /** Every message has a number of its own, which is never sent. */
  #next(): Uint8Array {
    const iv = new Uint8Array(12);
    new DataView(iv.buffer).setBigUint64(4, this.#count++);
    return iv;
  }
}

/** Bytes of one message: what a shard recorded has a few megabytes at the most. */
const MOST = 1 << 30;
/** How often each end says that it is there. */
const ALIVE_MS = 1_000;
/** How long silence may last before the other end counts as lost. */
export const SILENCE_MS = 10_000;

/** One end of the connection between the lead and a shard; messages are sealed. */
export class Link<Sent extends { type: string }, Received> {
  readonly #mine: Seal;
  readonly #theirs: Seal;
  readonly #closed = new AbortController();
  readonly #lost = Promise.withResolvers<string>();
  /** Resolves with what went wrong when the link breaks; never rejects. */
  readonly lost: Promise<string> = this.#lost.promise;

  constructor(
    readonly frames: Frames,
    readonly clock: Clock,
    end: End,
    token: string,
    nonces: Nonces,
  ) {
    this.#mine = new Seal(token, nonces, end);
    this.#theirs = new Seal(token, nonces, end === "lead" ? "shard" : "lead");
  }

  /** Whether everything that was said is on its way. */
  get idle(): boolean {
    return this.frames.waiting === 0;
  }

  /** Sends. Resolves when it is on its way; a broken link is reported by `lost`. */
  send(message: Sent): Promise<void> {
    if (this.#closed.signal.aborted) return Promise.resolve();
    // `listen` learns of a broken connection too, after all that the other end sent.
    return this.frames.write(this.#mine.close(serialize(message)))
      .catch(() => {});
  }

  /** Calls `take` with each message until the link breaks or is closed. */
  async listen(take: (message: Received) => void): Promise<void> {
    void this.#watch();
    try {
      for (;;) {
        const sealed = await this.frames.read(MOST);
        if (!sealed) return this.#break("the connection was closed");
        take(deserialize(this.#theirs.open(sealed)) as Received);
      }
    } catch (error) {
      this.#break((error as Error).message);
    }
  }

  close(): void {
    this.#closed.abort();
    this.frames.close();
  }

  /** Says that this end is there, and looks whether the other one is. */
  async #watch(): Promise<void> {
    const { signal } = this.#closed;
    for (;;) {
      await this.clock.sleep(ALIVE_MS, signal);
      if (signal.aborted) return;
      if (this.clock.now() - this.frames.heardAt > SILENCE_MS) {
        return this.#break(`nothing was heard for ${SILENCE_MS / 1_000} s`);
      }
      if (this.idle) void this.send({ type: "alive" } as unknown as Sent);
    }
  }

  #break(why: string): void {
    if (this.#closed.signal.aborted) return;
    this.close();
    this.#lost.resolve(why);
  }
}
