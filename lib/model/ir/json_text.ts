/** A place in JSON text, 1-based. */
export interface JsonPlace {
  readonly line: number;
  readonly column: number;
}

/** JSON text that cannot be read strictly. */
export class JsonTextError extends SyntaxError {
  override readonly name = "JsonTextError";
  constructor(
    readonly code: string,
    message: string,
    readonly place: JsonPlace,
  ) {
    super(message);
  }
}

/** Lists and objects may lie this deep in one another. */
const MAX_DEPTH = 512;

/**
 * Checks JSON text (RFC 8259) more strictly than `JSON.parse`: names are unique
 * and nesting is bounded. The value itself is left to `JSON.parse`.
 *
 * @throws {JsonTextError} with line and column
 */
export function checkJsonText(text: string): void {
  new Scanner(text).run();
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// deno-lint-ignore no-control-regex
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;

class Scanner {
  #at = 0;
  constructor(readonly text: string) {}

  run(): void {
    this.#value(0);
    this.#space();
    if (this.#at < this.text.length) {
      throw this.#error("expected nothing after the value");
    }
  }

  #value(depth: number): void {
    this.#space();
    const char = this.text[this.#at];
    if (char === "{" || char === "[") {
      if (depth >= MAX_DEPTH) {
        throw this.#error(
          `lists and objects are nested more than ${MAX_DEPTH} levels deep`,
          "nesting-too-deep",
        );
      }
      if (char === "{") this.#object(depth);
      else this.#list(depth);
    } else if (char === '"') this.#string();
    else if (!this.#word()) {
      NUMBER.lastIndex = this.#at;
      const number = NUMBER.exec(this.text)?.[0];
      if (number === undefined) throw this.#error("expected a JSON value");
      this.#checkNumber(number);
      this.#at += number.length;
    }
  }

  /** Canonical JSON (RFC 8785) carries IEEE doubles and nothing beyond. */
  #checkNumber(text: string): void {
    const value = Number(text);
    const exact = Number.isFinite(value) &&
      // 1e20 is written as 21 digits: what comes back unchanged is exact.
      (!/^-?\d{16,}$/.test(text) || String(value) === text);
    if (exact) return;
    throw this.#error(
      `the number ${text} is beyond what JSON numbers carry exactly`,
      "number-out-of-range",
    );
  }

  #word(): boolean {
    const word = ["true", "false", "null"]
      .find((each) => this.text.startsWith(each, this.#at));
    this.#at += word?.length ?? 0;
    return word !== undefined;
  }

  #object(depth: number): void {
    const names = new Set<string>();
    this.#at++;
    if (this.#take("}")) return;
    do {
      this.#space();
      const start = this.#at;
      const name = this.#string();
      if (names.has(name)) {
        throw this.#error(
          `the key ${name} stands here twice`,
          "duplicate-key",
          start,
        );
      }
      names.add(name);
      if (!this.#take(":")) throw this.#error("expected `:` after a key");
      this.#value(depth + 1);
    } while (this.#take(","));
    if (!this.#take("}")) throw this.#error("expected `,` or `}`");
  }

  #list(depth: number): void {
    this.#at++;
    if (this.#take("]")) return;
    do this.#value(depth + 1); while (this.#take(","));
    if (!this.#take("]")) throw this.#error("expected `,` or `]`");
  }

  #string(): string {
    STRING.lastIndex = this.#at;
    const written = STRING.exec(this.text)?.[0];
    if (written === undefined) {
      throw this.#error(
        this.text[this.#at] === '"'
          ? "this string is not closed or has an illegal character or escape"
          : "expected a key in double quotes",
      );
    }
    if (
      written.includes("\\u") && !(JSON.parse(written) as string).isWellFormed()
    ) {
      throw this.#error(
        "this string has half a surrogate pair",
        "lone-surrogate",
      );
    }
    this.#at += written.length;
    return written;
  }

  #take(char: string): boolean {
    this.#space();
    if (this.text[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  #space(): void {
    while (/[ \t\r\n]/.test(this.text[this.#at] ?? "")) this.#at++;
  }

  #error(message: string, code = "json-syntax", at = this.#at): JsonTextError {
    const before = this.text.slice(0, at).split("\n");
    const where = at >= this.text.length
      ? `${message}, but the text ends here`
      : message;
    return new JsonTextError(code, where, {
      line: before.length,
      column: before.at(-1)!.length + 1,
    });
  }
}
