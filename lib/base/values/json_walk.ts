/** Where and why a text is not JSON. */
interface JsonError {
  /** UTF-16 offset of the first token that does not fit. */
  readonly offset: number;
  readonly expected: string;
}

/** The error in words that quote nothing of the text. */
export function describeError(
  text: string,
  { offset, expected }: JsonError,
): string {
  if (offset >= text.length) {
    return `not JSON: expected ${expected}, but the text ends here`;
  }
  // Where a value or a key is expected, a quote begins a string that is broken.
  return text[offset] === '"' && /^a (?:value|key)/.test(expected)
    ? "not JSON: this string is not closed or has an illegal character or escape"
    : `not JSON: expected ${expected}`;
}

/** Takes the tokens of a JSON text in order; offsets are UTF-16, ends exclusive. */
export interface JsonVisitor {
  open?(kind: "[" | "{", offset: number): void;
  close?(end: number): void;
  /** A name of an object, its quotes included. */
  key?(start: number, end: number): void;
  /** A string, number, `true`, `false` or `null` that is a value. */
  scalar?(start: number, end: number): void;
}

type State = "value" | "item or ]" | "key" | "key or }" | ":" | "next" | "end";

const EXPECTED: Readonly<Record<State, string>> = {
  "value": "a value",
  "item or ]": "a value or `]`",
  "key": "a key in double quotes",
  "key or }": "a key in double quotes or `}`",
  ":": "`:`",
  "next": "`,` or the end of the list or object",
  "end": "the end of the file",
};

const [COMMA, COLON, QUOTE] = [0x2c, 0x3a, 0x22];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Walks over the tokens of a JSON text (RFC 8259) and says where it stops being
 * one. Takes what `JSON.parse` takes, however deep it is nested.
 */
export function walkJson(
  text: string,
  visitor: JsonVisitor,
): JsonError | undefined {
  return new Walk(text, visitor).run();
}

class Walk {
  #at = 0;
  #state: State = "value";
  /** Whether each open container is a list. */
  readonly #lists: boolean[] = [];

  constructor(readonly text: string, readonly visitor: JsonVisitor) {}

  run(): JsonError | undefined {
    const { text } = this;
    for (;;) {
      this.#at = afterSpace(text, this.#at);
      if (this.#state === "end" && this.#at === text.length) return undefined;
      if (this.#take(text.charCodeAt(this.#at))) continue;
      return { offset: this.#at, expected: EXPECTED[this.#state] };
    }
  }

  /** Takes one token; false when it does not fit. */
  #take(code: number): boolean {
    switch (this.#state) {
      case "value":
        return this.#value(code);
      case "item or ]":
        return code === LIST_END ? this.#close() : this.#value(code);
      case "key":
        return this.#key(code);
      case "key or }":
        return code === OBJECT_END ? this.#close() : this.#key(code);
      case ":":
        return code === COLON && this.#go("value", this.#at + 1);
      case "next": {
        const list = this.#lists.at(-1)!;
        if (code === (list ? LIST_END : OBJECT_END)) return this.#close();
        return code === COMMA && this.#go(list ? "value" : "key", this.#at + 1);
      }
      case "end":
        return false;
    }
  }

  #value(code: number): boolean {
    const at = this.#at;
    if (code === LIST || code === OBJECT) {
      const list = code === LIST;
      this.visitor.open?.(list ? "[" : "{", at);
      this.#lists.push(list);
      return this.#go(list ? "item or ]" : "key or }", at + 1);
    }
    const end = scalarEnd(this.text, at);
    if (end === at) return false;
    this.visitor.scalar?.(at, end);
    return this.#go(this.#lists.length > 0 ? "next" : "end", end);
  }

  #key(code: number): boolean {
    const at = this.#at;
    const end = code === QUOTE ? stringEnd(this.text, at) : at;
    if (end === at) return false;
    this.visitor.key?.(at, end);
    return this.#go(":", end);
  }

  #close(): boolean {
    this.#lists.pop();
    this.visitor.close?.(this.#at + 1);
    return this.#go(this.#lists.length > 0 ? "next" : "end", this.#at + 1);
  }

  #go(state: State, at: number): true {
    this.#state = state;
    this.#at = at;
    return true;
  }
}

function afterSpace(text: string, at: number): number {
  for (;; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) {
      return at;
    }
  }
}

/** Where the scalar that begins at `at` ends; `at` itself when there is none. */
function scalarEnd(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === QUOTE) return stringEnd(text, at);
  if (code === 0x2d || isDigit(code)) return numberEnd(text, at);
  for (const word of ["true", "false", "null"]) {
    if (text.startsWith(word, at)) return at + word.length;
  }
  return at;
}

/** RFC 8259 section 7. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1;; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    // Control characters, and NaN behind the last character.
    if (!(code >= 0x20)) return start;
    if (code !== 0x5c) continue;
    const escape = text[++at] ?? "";
    if (escape === "u" && /^[\da-fA-F]{4}$/.test(text.slice(at + 1, at + 5))) {
      at += 4;
    } else if (escape === "" || !'"\\/bfnrt'.includes(escape)) return start;
  }
}

/** RFC 8259 section 6. */
function numberEnd(text: string, start: number): number {
  const whole = text[start] === "-" ? start + 1 : start;
  let end = text[whole] === "0" ? whole + 1 : afterDigits(text, whole);
  if (end === whole) return start;
  if (text[end] === ".") {
    const fraction = afterDigits(text, end + 1);
    if (fraction === end + 1) return end;
    end = fraction;
  }
  if (text[end] !== "e" && text[end] !== "E") return end;
  const sign = text[end + 1] === "+" || text[end + 1] === "-" ? 2 : 1;
  const exponent = afterDigits(text, end + sign);
  return exponent === end + sign ? end : exponent;
}

function afterDigits(text: string, at: number): number {
  while (isDigit(text.charCodeAt(at))) at++;
  return at;
}

/** Whether a UTF-16 code unit is an ASCII digit. */
export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
