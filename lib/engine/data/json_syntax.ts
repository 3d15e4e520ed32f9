/** Where and why a text is no JSON. */
export interface JsonMistake {
  /** UTF-16 offset of the first token that does not fit. */
  readonly offset: number;
  /** What should have stood there. */
  readonly expected: string;
}

/** What a walk over the tokens finds. */
export interface JsonOutline {
  readonly mistake?: JsonMistake;
  /** Offset of each item of the outermost list. */
  readonly items: readonly number[];
}

const SPACE = /[ \t\n\r]*/y;
/** RFC 8259 sections 2, 3, 6 and 7. */
const TOKEN =
  /[{}[\]:,]|"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

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

/**
 * Walks over the tokens of `text`. `JSON.parse` is the judge of what is JSON;
 * this says where it goes wrong, which that does not always tell.
 */
export function outlineJson(text: string): JsonOutline {
  const items: number[] = [];
  const open: ("[" | "{")[] = [];
  let state: State = "value";
  let offset = 0;
  for (;;) {
    offset = skip(SPACE, text, offset);
    if (state === "end" && offset === text.length) return { items };
    const end = skip(TOKEN, text, offset);
    const next = step(text.slice(offset, end), state, open);
    if (!next) {
      return { items, mistake: { offset, expected: EXPECTED[state] } };
    }
    const isItem = state === "value" || state === "item or ]";
    const depth = open.length - (next.opened ? 1 : 0);
    if (isItem && !next.closed && depth === 1 && open[0] === "[") {
      items.push(offset);
    }
    state = next.state;
    offset = end;
  }
}

interface Next {
  readonly state: State;
  readonly opened?: true;
  readonly closed?: true;
}

/** One token further; undefined when the token does not fit. */
function step(
  token: string,
  state: State,
  open: ("[" | "{")[],
): Next | undefined {
  const inner = open.at(-1);
  switch (state) {
    case "value":
    case "item or ]":
      if (token === "]" && state === "item or ]") return close(open);
      if (token === "[" || token === "{") {
        open.push(token);
        return {
          state: token === "[" ? "item or ]" : "key or }",
          opened: true,
        };
      }
      return token === "" || /^[}\]:,]/.test(token)
        ? undefined
        : { state: inner ? "next" : "end" };
    case "key":
    case "key or }":
      if (token === "}" && state === "key or }") return close(open);
      return token.startsWith('"') ? { state: ":" } : undefined;
    case ":":
      return token === ":" ? { state: "value" } : undefined;
    case "next":
      if (token === ",") return { state: inner === "[" ? "value" : "key" };
      return token === (inner === "[" ? "]" : "}") ? close(open) : undefined;
    case "end":
      return undefined;
  }
}

function close(open: ("[" | "{")[]): Next {
  open.pop();
  return { state: open.length > 0 ? "next" : "end", closed: true };
}

function skip(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset;
  return offset + (pattern.exec(text)?.[0].length ?? 0);
}
