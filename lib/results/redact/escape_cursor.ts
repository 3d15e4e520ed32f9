/**
 * Every way to read the escape at `at`: for each, `out` gets what it stands for
 * and where the text goes on.
 *
 * @param nesting how deep an escape may be made of escapes; 1 for not at all
 */
type ReadEscapes = (
  text: string,
  at: number,
  out: number[],
  nesting: number,
) => void;

/** What a soft line break of quoted-printable (RFC 2045 section 6.7) stands for. */
export const NOTHING = -1;

/** Whether an escape may begin with this UTF-16 code unit: `%`, `&`, `=`, `\`. */
export function isIntroducer(unit: number): boolean {
  return unit === 0x5c || unit === 0x25 || unit === 0x26 || unit === 0x3d;
}

/** Reads what follows an introducer, character by character. */
export class EscapeCursor {
  /** Where the text goes on. */
  at: number;

  /** @param nesting escapes inside of this one */
  constructor(
    readonly text: string,
    at: number,
    readonly nesting: number,
    readonly read: ReadEscapes,
  ) {
    this.at = at;
  }

  /** The same position in the text, or another, to go on from. */
  from(at: number): EscapeCursor {
    return new EscapeCursor(this.text, at, this.nesting, this.read);
  }

  /**
   * The next character, plain or itself escaped, when it passes the test; else
   * -1, and the cursor stays.
   */
  take(test: (unit: number) => boolean): number {
    const unit = this.text.charCodeAt(this.at);
    if (test(unit)) {
      this.at++;
      return unit;
    }
    if (this.nesting === 0 || !isIntroducer(unit)) return -1;
    const found = this.escapes(this.at);
    for (let i = 0; i < found.length; i += 2) {
      const [inner, end] = [found[i]!, found[i + 1]!];
      if (inner === NOTHING) {
        const after = new EscapeCursor(
          this.text,
          end,
          this.nesting - 1,
          this.read,
        );
        const taken = after.take(test);
        if (taken >= 0) this.at = after.at;
        return taken;
      }
      if (!test(inner)) continue;
      this.at = end;
      return inner;
    }
    return -1;
  }

  /** The escapes inside of this one that begin at `at`. */
  escapes(at: number): number[] {
    const found: number[] = [];
    if (this.nesting > 0) this.read(this.text, at, found, this.nesting);
    return found;
  }

  /**
   * The number that so many digits make; -1 when there are fewer.
   *
   * @param most digits, as many as there are from the least on
   */
  number(radix: 8 | 10 | 16, least: number, most = least): number {
    const test = radix === 16 ? isHex : radix === 10 ? isDecimal : isOctal;
    let value = 0;
    for (let count = 0; count < most; count++) {
      const digit = this.take(test);
      if (digit < 0) return count < least ? -1 : value;
      value = value * radix + digitValue(digit);
    }
    return value;
  }
}

export function digitValue(unit: number): number {
  return unit <= 0x39 ? unit - 0x30 : (unit | 0x20) - 0x57;
}

export function isOctal(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x37;
}

function isDecimal(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

export function isHex(unit: number): boolean {
  const lower = unit | 0x20;
  return isDecimal(unit) || lower >= 0x61 && lower <= 0x66;
}

/** A letter or digit of ASCII. */
export function isWord(unit: number): boolean {
  const lower = unit | 0x20;
  return isDecimal(unit) || lower >= 0x61 && lower <= 0x7a;
}
