import { Buffer } from "node:buffer";
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  timingSafeEqual,
} from "node:crypto";

/** Which end of a link: each seals with a key of its own. */
export type End = "lead" | "shard";

/** What both ends chose at random for one link. */
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
export class Seal {
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
