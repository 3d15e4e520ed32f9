/** Adds a whole number to `bytes`: seven bits a byte, the lowest first. */
export function writeNumber(bytes: number[], value: number): void {
  let left = value;
  for (; left >= 128; left = Math.floor(left / 128)) {
    bytes.push(left % 128 | 128);
  }
  bytes.push(left);
}

/** Reads such numbers back, one after the other. */
export class NumberReader {
  #at: number;

  constructor(readonly bytes: Uint8Array, from = 0) {
    this.#at = from;
  }

  get atEnd(): boolean {
    return this.#at >= this.bytes.length;
  }

  /** @throws {Error} when the bytes end within a number, or it is not a safe one */
  read(): number {
    const only = this.bytes[this.#at]!;
    if (only < 128) {
      this.#at++;
      return only;
    }
    let value = 0;
    for (let scale = 1; scale <= Number.MAX_SAFE_INTEGER; scale *= 128) {
      const byte = this.bytes[this.#at++];
      if (byte === undefined) throw new Error("a number is cut short");
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    throw new Error("a number is too large");
  }
}
