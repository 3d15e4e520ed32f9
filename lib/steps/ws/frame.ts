import type { JsonValue } from "../../base/values/json.ts";
import type { JsonSearch } from "../../base/values/json_search.ts";
import { readJson } from "../../base/values/read_json.ts";
import { utf8 } from "../../base/values/utf8.ts";

/** A message that came on a session. */
export class WsFrame {
  #bytes: Uint8Array;
  #start: number;
  #end: number;
  #json: JsonValue | undefined;
  #parsed = false;
  /** A search went through it. */
  #isJson = false;

  /**
   * @param at when its last byte came, on the run's clock
   * @param isText it is no binary message
   * @param bytes hold until the connection reads on, or `keep` copies them
   */
  constructor(
    readonly at: number,
    readonly isText: boolean,
    bytes: Uint8Array,
    start = 0,
    end: number = bytes.length,
  ) {
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
  }

  /** Length of its payload, in bytes. */
  get length(): number {
    return this.#end - this.#start;
  }

  get content(): Uint8Array {
    return this.#bytes.subarray(this.#start, this.#end);
  }

  decode(): string {
    return utf8(this.#bytes, this.#start, this.#end);
  }

  /** Writes its bytes into others, from `at` on. */
  copyTo(bytes: Uint8Array, at: number): void {
    const { length } = this;
    // A view to copy from takes longer than a short loop.
    if (length > 64) return bytes.set(this.content, at);
    for (let index = 0; index < length; index++) {
      bytes[at + index] = this.#bytes[this.#start + index]!;
    }
  }

  /** Copies its bytes. */
  keep(): this {
    // `slice` of a Buffer does not copy.
    this.#bytes = new Uint8Array(this.content);
    this.#start = 0;
    this.#end = this.#bytes.length;
    return this;
  }

  searched(search: JsonSearch): boolean {
    if (!this.isText || this.#parsed) return false;
    const finds = search.by === this
      ? search.finds
      : search.search(this.#bytes, this.#start, this.#end, this);
    this.#isJson ||= finds;
    return finds;
  }

  /** Undefined when it is no JSON text. */
  json(): JsonValue | undefined {
    if (this.#parsed || !this.isText) return this.#json;
    this.#parsed = true;
    try {
      this.#json = readJson(this.decode());
    } catch {
      // No JSON: that is what undefined says.
    }
    return this.#json;
  }

  /** A frame has none. */
  headers(): readonly string[] {
    return [];
  }

  /** Why it cannot be looked at; undefined when it is JSON text. */
  get error(): string | undefined {
    if (this.#isJson) return undefined;
    const { length } = this;
    if (!this.isText) {
      return `a binary frame of ${length} bytes came, but only JSON text frames can be read`;
    }
    if (this.json() !== undefined) return undefined;
    const what = length <= LONGEST_SHOWN
      ? `the text frame ${JSON.stringify(this.decode())}`
      : `a text frame of ${length} bytes`;
    return `${what} came, but it is not JSON`;
  }

  /** For a message: cut, but never inside a string, which may be a secret. */
  get shown(): string {
    const json = this.json();
    return json === undefined
      ? `a frame of ${this.length} bytes`
      : show(json, { left: LONGEST_SHOWN });
  }
}

/** Characters of a frame that a message shows; a string of it, half of that. */
const LONGEST_SHOWN = 120;

/** JSON text whose strings stand whole or not at all. */
function show(value: JsonValue, room: { left: number }): string {
  if (typeof value !== "object" || value === null) {
    return leaf(JSON.stringify(value), room);
  }
  // Brackets take room as well: a frame may be nested deeper than a call stack.
  room.left -= 2;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const parts: string[] = [];
  for (const [key, each] of Object.entries(value)) {
    if (room.left <= 0) {
      parts.push("…");
      break;
    }
    const name = Array.isArray(value)
      ? ""
      : `${leaf(JSON.stringify(key), room)}:`;
    parts.push(name + show(each, room));
  }
  return `${open}${parts.join(",")}${close}`;
}

function leaf(text: string, room: { left: number }): string {
  const shown = text.length > LONGEST_SHOWN / 2 ? '"…"' : text;
  room.left -= shown.length;
  return shown;
}
