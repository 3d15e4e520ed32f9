import type { JsonValue } from "../../base/values/json.ts";
import { readJson } from "../../base/values/read_json.ts";

/** A message that came on a session. */
export class WsFrame {
  #json: JsonValue | undefined;
  #parsed = false;

  /**
   * @param at when its last byte came, on the run's clock
   * @param bytes length of its payload
   * @param content a string for a text message, bytes for a binary one
   */
  constructor(
    readonly at: number,
    readonly bytes: number,
    readonly content: string | Uint8Array,
  ) {}

  /** Undefined when it is no JSON text. */
  json(): JsonValue | undefined {
    if (this.#parsed || typeof this.content !== "string") return this.#json;
    this.#parsed = true;
    try {
      this.#json = readJson(this.content);
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
    const { content, bytes } = this;
    if (typeof content !== "string") {
      return `a binary frame of ${bytes} bytes came, but only JSON text frames can be read`;
    }
    if (this.json() !== undefined) return undefined;
    const what = content.length <= LONGEST_SHOWN
      ? `the text frame ${JSON.stringify(content)}`
      : `a text frame of ${bytes} bytes`;
    return `${what} came, but it is not JSON`;
  }

  /** For a message: cut, but never inside a string, which may be a secret. */
  get shown(): string {
    const json = this.json();
    return json === undefined
      ? `a frame of ${this.bytes} bytes`
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
