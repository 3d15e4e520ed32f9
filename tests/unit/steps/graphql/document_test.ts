import { deepStrictEqual, equal } from "node:assert/strict";
import { documentProblems } from "../../../../lib/steps/graphql/graphql.ts";

const GOOD: readonly [
  rule: string,
  operation: Parameters<typeof documentProblems>[0],
][] = [
  ["a short query", { query: "{ a }" }],
  ["a variable with a value", {
    query: "query ($a: Int!) { a(b: $a) }",
    variables: { a: 1 },
  }],
  ["null on purpose", {
    query: "query ($a: Int!) { a(b: $a) }",
    variables: { a: null },
  }],
  ["a default in place of a value", {
    query: "query ($a: Int! = 1, $b: Int) { a(b: $a, c: $b) }",
  }],
  ["the operation that is named", {
    query: "query A($a: Int!) { a(b: $a) } query B { b } fragment f on T { a }",
    operation_name: "B",
  }],
  ["directives and block strings", {
    query: 'mutation @live { a(b: """ { """) @include(if: true) @defer }',
  }],
  ["a name for the only operation", {
    query: "query A { a }",
    operation_name: "A",
  }],
];

for (const [rule, operation] of GOOD) {
  Deno.test(`documentProblems: nothing wrong with ${rule}`, async () => {
    deepStrictEqual(await documentProblems(operation), []);
  });
}

Deno.test("documentProblems: a syntax error has its line and column", async () => {
  const [problem] = await documentProblems({ query: "{\r\n  a(\n  ) {}\n}" });
  equal(problem!.code, "graphql-syntax");
  deepStrictEqual(problem!.at, {
    pointer: "/query",
    inside: { line: 3, column: 3 },
  });
});

Deno.test("documentProblems: the end is shown behind the last word", async () => {
  const [problem] = await documentProblems({ query: "{\n  a  \n\n" });
  deepStrictEqual(problem!.at, {
    pointer: "/query",
    inside: { line: 2, column: 3 },
  });
  const [blank] = await documentProblems({ query: " \n" });
  deepStrictEqual(blank!.at, {
    pointer: "/query",
    inside: { line: 1, column: 1 },
  });
});

Deno.test("documentProblems: variables of other operations are not needed", async () => {
  const operation = {
    query: "query A($a: Int!) { a(b: $a) } query B($b: Int!) { b(c: $b) }",
    operation_name: "A",
    variables: { a: 1, b: 1 },
  };
  const found = await documentProblems(operation);
  deepStrictEqual(found.map(({ at, message }) => [at, message]), [
    [
      { pointer: "/variables/b", key: "b" },
      "the operation declares no variable `$b`",
    ],
  ]);
});

Deno.test("documentProblems: a misspelt variable is one error, not two", async () => {
  const found = await documentProblems({
    query: "query ($userId: Int!) { a(b: $userId) }",
    variables: { userid: 1 },
  });
  equal(found.length, 1);
  equal(found[0]!.hint, "did you mean `userId`?");
});
