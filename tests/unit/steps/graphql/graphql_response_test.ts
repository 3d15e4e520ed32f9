import { deepStrictEqual, equal, match } from "node:assert/strict";
import fc from "fast-check";
import {
  judgeGraphql,
  ON_ERRORS,
} from "../../../../lib/steps/graphql/block.ts";
import { httpResponse, wireResponse } from "../http/wire_response.ts";

const ERROR = { message: "boom", path: ["user", "posts", 0, "title"] };

function judged(
  onErrors: typeof ON_ERRORS[number],
  status: number,
  body: unknown,
) {
  return httpResponse(wireResponse(status, body), judgeGraphql(onErrors));
}

/** `f` fail, `p` allow_partial, `i` ignore: which of them fail the response. */
const cases: readonly [rule: string, body: unknown, fails: string][] = [
  ["data alone passes", { data: { a: 1 } }, ""],
  ["data that is null without errors passes", { data: null }, ""],
  ["an empty list of errors is none", { data: { a: 1 }, errors: [] }, ""],
  ["errors that are null are none", { data: { a: 1 }, errors: null }, ""],
  ["errors beside data are a part", { data: { a: 1 }, errors: [ERROR] }, "f"],
  [
    "one resolved root field is enough",
    { data: { a: null, b: 0 }, errors: [ERROR] },
    "f",
  ],
  [
    "root fields that are all null are no data",
    { data: { a: null, b: null }, errors: [ERROR] },
    "fp",
  ],
  ["no root field is no data", { data: {}, errors: [ERROR] }, "fp"],
  ["null is no data", { data: null, errors: [ERROR] }, "fp"],
  ["errors alone have no data", { errors: [ERROR] }, "fp"],
  ["an error that is no object counts", { errors: ["boom"] }, "fp"],
  ["text is no response", "<html>", "fpi"],
  ["nothing is no response", "", "fpi"],
  ["a list is no response", [{ data: { a: 1 } }], "fpi"],
  ["an object without data and errors is no response", { ok: true }, "fpi"],
  ["errors that are no list are no response", { errors: { a: 1 } }, "fpi"],
  ["data that is a list is no response", { data: [1] }, "fpi"],
  [
    "data that is a text is no response, with errors too",
    { data: "a", errors: [ERROR] },
    "fpi",
  ],
];

for (const [rule, body, fails] of cases) {
  Deno.test(`judgeGraphql: ${rule}`, () => {
    for (const onErrors of ON_ERRORS) {
      const { signal } = judged(onErrors, 200, body);
      const letter = { fail: "f", allow_partial: "p", ignore: "i" }[onErrors];
      equal(signal, fails.includes(letter) ? "failure" : "ok", onErrors);
    }
  });
}

Deno.test("judgeGraphql: the failure keeps path and message of the first error", () => {
  const { failure } = judged("fail", 200, {
    errors: [{ extensions: { code: "X" }, ...ERROR }, { message: "two" }],
  });
  deepStrictEqual(failure, {
    code: "graphql",
    message: "2 GraphQL errors, the first at user.posts[0].title: boom",
    expected: { type: "nothing", text: "" },
    actual: {
      type: "object",
      text:
        '{"path":["user","posts",0,"title"],"message":"boom","extensions":{"code":"X"}}',
    },
  });
});

Deno.test("judgeGraphql: an error without a path, and one without a message", () => {
  const words = (error: unknown) =>
    judged("fail", 200, { errors: [error] }).failure!.message;
  equal(words({ message: "boom" }), "GraphQL error: boom");
  equal(words({ message: "boom", path: [] }), "GraphQL error: boom");
  equal(words({ code: 7 }), 'GraphQL error: {"code":7}');
  equal(words(null), "GraphQL error: null");
});

Deno.test("judgeGraphql: an error that is no object is shown as what it is", () => {
  const actual = (error: unknown) =>
    judged("fail", 200, { errors: [error] }).failure!.actual;
  deepStrictEqual(actual("boom"), { type: "string", text: "boom" });
  deepStrictEqual(actual(null), { type: "null", text: "null" });
});

Deno.test("judgeGraphql: a long message is cut, its path is not lost", () => {
  const { failure } = judged("fail", 200, {
    errors: [{ message: "x".repeat(10_000), path: ["a", 1] }],
  });
  match(failure!.message, /^GraphQL error at a\[1\]: x{199}…$/);
  match(failure!.actual!.text, /^\{"path":\["a",1\],"message":"x+…$/);
});

Deno.test("judgeGraphql: an error status says what the server says", () => {
  const { failure, signal } = judged("ignore", 400, { errors: [ERROR] });
  equal(signal, "failure");
  deepStrictEqual(failure, {
    code: "status",
    message:
      "response status was 400 Reason: GraphQL error at user.posts[0].title: boom",
  });
  const plain = judged("ignore", 502, "<html>");
  equal(plain.failure!.message, "response status was 502 Reason");
});

Deno.test("judgeGraphql: a redirect is a status that an assertion may want", () => {
  const wire = wireResponse(302, "", { Location: "/login" });
  const { failure } = httpResponse(wire, judgeGraphql("fail"));
  deepStrictEqual(failure, {
    code: "status",
    message:
      "response status was 302 Reason, not a GraphQL response; it redirects to `/login`, and redirects are not followed",
  });
});

Deno.test("judgeGraphql: 429 is a throttle, whatever it says", () => {
  for (const onErrors of ON_ERRORS) {
    equal(judged(onErrors, 429, { errors: [ERROR] }).signal, "throttle");
  }
});

Deno.test("judgeGraphql: a body that is not JSON names its type", () => {
  const response = wireResponse(200, "<html>", { "Content-Type": "text/html" });
  const { failure } = httpResponse(response, judgeGraphql("ignore"));
  equal(
    failure!.message,
    "the response is not a GraphQL response: its body is not JSON (Content-Type: text/html)",
  );
});

Deno.test("judgeGraphql: a body that is empty is called so", () => {
  equal(
    judged("ignore", 204, "").failure!.message,
    "the response is not a GraphQL response: its body is empty",
  );
});

Deno.test("judgeGraphql: what is no response says why", () => {
  const rows: [body: unknown, why: string][] = [
    [[1], "its JSON is not an object"],
    [{ a: 1 }, "it has neither `data` nor `errors`"],
    [{ data: [1] }, "its `data` is neither an object nor null"],
    [{ data: {}, errors: 1 }, "its `errors` is not a list"],
  ];
  for (const [body, why] of rows) {
    equal(
      judged("ignore", 200, body).failure!.message,
      `the response is not a GraphQL response: ${why}`,
    );
  }
});

Deno.test("judgeGraphql: no JSON value makes it throw", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.jsonValue(),
        fc.record({ data: fc.jsonValue(), errors: fc.array(fc.jsonValue()) }),
        fc.record({
          errors: fc.array(fc.record({ path: fc.jsonValue() }), {
            minLength: 1,
          }),
        }),
      ),
      (body) => {
        for (const onErrors of ON_ERRORS) {
          const { signal, failure } = judged(onErrors, 200, body);
          equal(signal === "failure", failure !== undefined);
        }
      },
    ),
  );
});
