import type { Wording } from "../../base/text/diagnostic.ts";

/** What the library says, in plain words; undefined where that depends on the text. */
export function plainWords(says: string): Wording | undefined {
  const [, message, hint] = PLAIN.find(([words]) => says.includes(words)) ?? [];
  return message === undefined ? undefined : { message, hint };
}

const PLAIN:
  readonly (readonly [words: string, plain: string, hint?: string])[] = [
    [
      "Missing , or : between",
      "expected `,` or `:` before this",
      "separate the items of { } and [ ] with commas, and quote values that hold brackets",
    ],
    [
      "Block collections are not allowed",
      "an indented mapping or a `- ` list is not allowed inside { } or [ ]",
    ],
    [
      "Alias cannot be an empty string",
      "a `*` starts an alias, which needs a name",
      "to start a value with *, quote it",
    ],
    [
      "Anchor cannot be an empty string",
      "a `&` starts an anchor, which needs a name",
      "to start a value with &, quote it",
    ],
    [
      "Comments must be separated",
      "a comment needs a space before its `#`",
      "if the # belongs to the value, quote the value",
    ],
    [
      "Missing newline after",
      "a list or mapping cannot start on the line of its tag or anchor",
    ],
    ["Unexpected : in", "a key is missing before this `:`"],
    ["Unexpected , in", "a value is missing before this `,`"],
    [
      "on same line with key",
      "a list cannot start on the line of its key",
      "put each `- ` on a line of its own below the key",
    ],
    ["map-value-ind", "a key is missing before this `:`"],
  ];
