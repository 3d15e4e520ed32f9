import { walkJson } from "./json_walk.ts";

/** JSON with line breaks, or as much of it as there was room for. */
interface SpreadJson {
  readonly text: string;
  /** False when the limit cut it. */
  readonly whole: boolean;
}

const INDENT = "  ";

/**
 * JSON text with a line for each value, as `JSON.stringify` indents it; undefined when
 * it is not JSON. Strings and numbers stay as they are written. Deep nesting is
 * mostly indentation, so that what comes of 16 MiB may be longer than any memory: it
 * ends where `limit` does.
 */
export function spreadJson(
  json: string,
  limit: number,
): SpreadJson | undefined {
  let text = "";
  let depth = 0;
  // What goes before the next token: the containers it opens into are not empty.
  let before = "";
  const put = (token: string, after: string) => {
    const full = text.length > limit;
    if (!full) text += before + token;
    before = full ? "" : after;
  };
  const line = () => text.length > limit ? "" : `\n${INDENT.repeat(depth)}`;
  const comma = () => `,${line()}`;
  const error = walkJson(json, {
    open(kind) {
      depth++;
      put(kind, line());
    },
    close(end) {
      const opened = before !== "" && !before.startsWith(",");
      depth--;
      before = opened || text.length > limit ? "" : line();
      put(json[end - 1]!, comma());
    },
    key(start, end) {
      put(json.slice(start, end), ": ");
    },
    scalar(start, end) {
      put(json.slice(start, end), comma());
    },
  });
  if (error) return undefined;
  return text.length > limit
    ? { text: text.slice(0, limit), whole: false }
    : { text, whole: true };
}
