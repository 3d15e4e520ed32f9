import { deepEqual } from "node:assert/strict";
import { parseQuery } from "../../../../lib/language/json_path/path_reader.ts";
import { ExpressionError } from "../../../../lib/base/errors/bench_error.ts";

/** What is wrong, where (from 1), and the way out. */
function errorOf(path: string): [string, number, string?] | undefined {
  try {
    parseQuery(path);
    return undefined;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const { message, offset, hint } = error;
    const why = message.replace("bad JSON path: ", "");
    return hint === undefined ? [why, offset + 1] : [why, offset + 1, hint];
  }
}

Deno.test("an error in a JSON path is reported at its column, with a way out", () => {
  const table: [path: string, error: [string, number, string?]][] = [
    ["id", ["it has to start with `$`", 1]],
    ["$.", ["expected a name after `.`, but the path ends", 3]],
    ["$.a.[0]", [
      "expected a name after `.`, but `[` follows",
      5,
      "leave out the dot",
    ]],
    ["$. a", ["expected a name after `.`, but white space follows", 3]],
    ["$.a ", ["it does not end with white space", 4]],
    ["$.a b", ["it does not end with white space", 4]],
    ["$a", ["expected `.` or `[`, but `a` follows", 2, "did you mean `$.a`?"]],
    [
      "$.content-type",
      [
        "a name after a dot cannot hold `-`",
        10,
        "write `$['content-type']`",
      ],
    ],
    [
      "$..a-b",
      ["a name after a dot cannot hold `-`", 5, "write `$..['a-b']`"],
    ],
    [
      "$.a[?@.b-c == 1]",
      ["a name after a dot cannot hold `-`", 9, "write `@['b-c']`"],
    ],
    [
      "$.list.0",
      [
        "a name after a dot does not begin with `0`",
        8,
        "an item of a list is `$.list[0]`, a name `$.list['0']`",
      ],
    ],
    ["$[", [
      "expected a name in quotes, an index, `*` or a filter, but the path ends",
      3,
    ]],
    ["$['a'", ["no closing `]`", 2]],
    ["$['a", ["no closing '", 3]],
    ["$[abc]", ["the name `abc` has no quotes", 3, "write ['abc']"]],
    [
      "$[@.a]",
      [
        "expected a name in quotes, an index, `*` or a filter, but `@` follows",
        3,
        "a filter begins with `?`",
      ],
    ],
    ["$[01]", ["`01` is not how the number 1 is written", 3, "write 1"]],
    ["$[-0]", ["`-0` is not how the number 0 is written", 3, "write 0"]],
    ["$[1.5]", ["expected `,` or `]`, but `.` follows", 4]],
    ["$['\\q']", [
      "`\\q` is not an escape",
      4,
      "escapes: \\b \\f \\n \\r \\t \\/ \\\\ \\uXXXX, and the quote itself",
    ]],
    ["$[?]", ["expected a path, a value or a function, but `]` follows", 4]],
    ["$[?@.a >]", [
      "expected a path, a value or a function, but `]` follows",
      9,
    ]],
    ["$[?@.a = 1]", [
      "`=` is not an operator",
      8,
      "equality is `==`",
    ]],
    ["$[?@.a == True]", [
      "`True` is neither a path nor a value",
      11,
      "did you mean `true`?",
    ]],
    ["$[?name == 'x']", [
      "`name` is neither a path nor a value",
      4,
      "a value of the item is `@.name`, a text 'name'",
    ]],
    ["$[?@.a == 1 and @.b]", [
      "`and` is not an operator",
      13,
      "conditions are joined with `&&`",
    ]],
    ["$[?!@.a == 1]", [
      "`!` negates one condition, not the side of a comparison",
      9,
      "put the comparison in parentheses: !(...)",
    ]],
    ["$[?(@.a) == 1]", [
      "a condition in parentheses cannot be compared",
      10,
      "a value is compared without parentheses",
    ]],
    ["$[?(@.a == 1]", [
      "expected `)`, `&&` or `||`, but `]` follows",
      13,
    ]],
    ["$[?@.* == 1]", [
      "a path that may match several values cannot be compared",
      4,
      "compare each with a filter of its own, or use count() or value()",
    ]],
    ["$[?count(@.*)]", [
      "`count()` gives a value, which alone is not a condition",
      4,
      "compare it: ==, !=, <, <=, >, >=",
    ]],
    ["$[?size(@.a) == 1]", [
      "there is no function `size()`",
      4,
      "functions: length(), count(), match(), search(), value()",
    ]],
    ["$[?lenght(@.a) == 1]", [
      "there is no function `lenght()`",
      4,
      "did you mean `length()`?",
    ]],
    ["$[?match(@.a) ]", ["`match()` takes 2 arguments, not 1", 4]],
    ["$[?match(@.a, 'x') == true]", [
      "`match()` is a condition already and cannot be compared",
      4,
    ]],
  ];
  for (const [path, error] of table) {
    deepEqual(errorOf(path), error, path);
  }
});

Deno.test("nesting in a path is bounded, a chain is not", () => {
  const inside = (levels: number) => "$[?(".repeat(levels);
  deepEqual(errorOf(inside(50_000))?.[0], "it nests at most 64 levels deep");
  deepEqual(errorOf(`$${".a".repeat(50_000)}`), undefined);
  deepEqual(errorOf(`$[?${"@.a && ".repeat(20_000)}@.a]`), undefined);
  deepEqual(errorOf(`$['${"a".repeat(200_000)}']`), undefined);
});
