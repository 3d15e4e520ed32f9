/** A regular expression, taken apart. */
export interface PatternTree {
  readonly root: PatternNode;
  /** A test of one character. */
  readonly atoms: readonly Atom[];
  /** A test of a position; a look-around comes after those in it. */
  readonly assertions: readonly PositionAssertion[];
  /** Refers to what a group matched, which no automaton can do. */
  readonly hasBackReference: boolean;
}

export type PatternNode =
  | { readonly kind: "atom"; readonly atom: number }
  | { readonly kind: "assertion"; readonly assertion: number }
  | { readonly kind: "back reference" }
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly parts: readonly PatternNode[] }
  | {
    readonly kind: "repeat";
    readonly part: PatternNode;
    readonly min: number;
    /** Infinity: as often as it fits. */
    readonly max: number;
  };

/** Whether one character is in the class, as the runtime's own engine says. */
export type Atom = RegExp;

export type PositionAssertion =
  | { readonly kind: "start" | "end" | "line start" | "line end" }
  | { readonly kind: "boundary"; readonly negated: boolean }
  | {
    readonly kind: "look";
    readonly behind: boolean;
    readonly negated: boolean;
    readonly part: PatternNode;
  };

/** Flags that hold inside a group, such as `(?i:...)`. */
interface Flags {
  readonly ignoreCase: boolean;
  readonly dotAll: boolean;
  readonly multiline: boolean;
}

const NO_FLAGS: Flags = { ignoreCase: false, dotAll: false, multiline: false };

const GROUP =
  /\((?:\?(?:(?<look><?[=!])|(?<name><[^>]*>)|(?<on>[ims]*)(?:-(?<off>[ims]*))?:))?/y;
const QUANTIFIER = /(?:([*+?])|\{([0-9]+)(?:(,)([0-9]*))?\})\??/y;
const CLASS = /\[(?:\\[^]|[^\]\\])*\]/y;
const ESCAPE =
  /\\(?:c[A-Za-z]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|[pP]\{[^}]*\}|k<[^>]*>|[1-9][0-9]*|[^])/y;

/**
 * Takes a pattern apart that the runtime has accepted, so that nothing is wrong
 * with it. What a class or an escape contains is left to the runtime's engine.
 *
 * @param unicode characters are code points, not UTF-16 units (flag `u`)
 */
export function parsePattern(source: string, unicode: boolean): PatternTree {
  return new Parser(source, unicode).run();
}

class Parser {
  #at = 0;
  #hasBackReference = false;
  readonly #atoms = new Map<string, number>();
  readonly #assertions: PositionAssertion[] = [];

  constructor(readonly source: string, readonly unicode: boolean) {}

  run(): PatternTree {
    const root = this.#choice(NO_FLAGS);
    return {
      root,
      atoms: [...this.#atoms.keys()].map(atomOf),
      assertions: this.#assertions,
      hasBackReference: this.#hasBackReference,
    };
  }

  #choice(flags: Flags): PatternNode {
    const parts = [this.#sequence(flags)];
    while (this.#take("|")) parts.push(this.#sequence(flags));
    return parts.length === 1 ? parts[0]! : { kind: "choice", parts };
  }

  #sequence(flags: Flags): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.source.length && !/[|)]/.test(this.#next)) {
      parts.push(this.#quantified(this.#term(flags)));
    }
    return parts.length === 1 ? parts[0]! : { kind: "sequence", parts };
  }

  #quantified(part: PatternNode): PatternNode {
    const found = this.#match(QUANTIFIER);
    if (!found) return part;
    const [, sign, from, comma, to] = found;
    const min = from === undefined ? sign === "+" ? 1 : 0 : Number(from);
    const max = from === undefined
      ? sign === "?" ? 1 : Infinity
      : comma === undefined
      ? min
      : to === ""
      ? Infinity
      : Number(to);
    return { kind: "repeat", part, min, max };
  }

  #term(flags: Flags): PatternNode {
    const { multiline } = flags;
    switch (this.#next) {
      case "^":
        this.#at++;
        return this.#assertion({ kind: multiline ? "line start" : "start" });
      case "$":
        this.#at++;
        return this.#assertion({ kind: multiline ? "line end" : "end" });
      case "(":
        return this.#group(flags);
      case "[":
        return this.#atom(this.#match(CLASS)![0], flags);
      case ".":
        this.#at++;
        return this.#atom(".", flags);
      case "\\":
        return this.#escape(flags);
    }
    return this.#atom(literal(this.#character()), flags);
  }

  #group(flags: Flags): PatternNode {
    const { look, on = "", off = "" } = this.#match(GROUP)!.groups!;
    const set = (flag: string, was: boolean) =>
      on.includes(flag) || was && !off.includes(flag);
    const part = this.#choice({
      ignoreCase: set("i", flags.ignoreCase),
      dotAll: set("s", flags.dotAll),
      multiline: set("m", flags.multiline),
    });
    this.#take(")");
    return look === undefined ? part : this.#assertion({
      kind: "look",
      behind: look.startsWith("<"),
      negated: look.endsWith("!"),
      part,
    });
  }

  #escape(flags: Flags): PatternNode {
    const [escape] = this.#match(ESCAPE)!;
    const letter = escape[1]!;
    if (letter === "b" || letter === "B") {
      return this.#assertion({ kind: "boundary", negated: letter === "B" });
    }
    if (letter === "k" || /[1-9]/.test(letter)) {
      this.#hasBackReference = true;
      return { kind: "back reference" };
    }
    return this.#atom(escape, flags);
  }

  #atom(source: string, { ignoreCase, dotAll }: Flags): PatternNode {
    const flags = `${ignoreCase ? "i" : ""}${dotAll ? "s" : ""}${
      this.unicode ? "u" : ""
    }`;
    const key = `${flags}/${source}`;
    const atom = this.#atoms.get(key) ?? this.#atoms.size;
    this.#atoms.set(key, atom);
    return { kind: "atom", atom };
  }

  #assertion(assertion: PositionAssertion): PatternNode {
    this.#assertions.push(assertion);
    return { kind: "assertion", assertion: this.#assertions.length - 1 };
  }

  get #next(): string {
    return this.source.charAt(this.#at);
  }

  #character(): string {
    const char = this.unicode
      ? String.fromCodePoint(this.source.codePointAt(this.#at)!)
      : this.#next;
    this.#at += char.length;
    return char;
  }

  #take(char: string): boolean {
    const there = this.#next === char;
    if (there) this.#at++;
    return there;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.source);
    if (match) this.#at = pattern.lastIndex;
    return match;
  }
}

/** A character that means itself, whatever it is. */
function literal(char: string): string {
  return char.length === 1
    ? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`
    : char;
}

function atomOf(key: string): Atom {
  const slash = key.indexOf("/");
  return new RegExp(`^(?:${key.slice(slash + 1)})$`, key.slice(0, slash));
}
