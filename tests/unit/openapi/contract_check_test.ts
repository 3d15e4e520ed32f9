import { deepEqual, equal, match, ok, throws } from "node:assert/strict";
import { join } from "node:path";
import { readJson } from "../../../lib/base/values/read_json.ts";
import type { StepResponse } from "../../../lib/model/result/response.ts";
import { ContractCheck } from "../../../lib/openapi/check.ts";
import { readContract } from "../../../lib/openapi/contract.ts";
import { workspace } from "../../support/bench.ts";

/** An exchange as far as it is looked at. */
interface Given {
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly type?: string;
  /** Text of the body. */
  readonly body?: string;
}

function responseOf(
  { method = "GET", path = "/", status = 200, type, body = "" }: Given,
): StepResponse {
  return {
    status,
    exchange: () => ({ method, path, bodyBytes: body.length }),
    headers: () => [type ?? "application/json; charset=utf-8"],
    json() {
      try {
        return body === "" ? undefined : readJson(body);
      } catch {
        return undefined;
      }
    },
  } as unknown as StepResponse;
}

/** A check by a description of these paths and schemas. */
function checkOf(
  parts: { paths: object; schemas?: object; servers?: object[] },
  { version = "3.0.3", base = "" } = {},
): ContractCheck {
  const { paths, schemas = {}, servers } = parts;
  using folder = workspace({
    "api.json": JSON.stringify({
      openapi: version,
      ...(servers && { servers }),
      paths,
      components: { schemas },
    }),
  });
  const contract = readContract(join(folder.path, "api.json"), "fail");
  return new ContractCheck(contract, base);
}

/** A description of `GET /` whose 200 has a body of this schema. */
function bodyCheck(schema: unknown, schemas: object = {}, version?: string) {
  const content = { "application/json": { schema } };
  const get = { responses: { 200: { content } } };
  const check = checkOf(
    { paths: { "/": { get } }, schemas },
    version === undefined ? {} : { version },
  );
  return (body: string) =>
    check.hold(responseOf({ body }))!.violations.map(
      ({ schema, message }) => `${schema}: ${message}`,
    );
}

const PET = {
  type: "object",
  required: ["id", "name"],
  properties: {
    id: { type: "integer" },
    name: { type: "string" },
    parent: { $ref: "#/components/schemas/Pet" },
  },
};

Deno.test("contract: a body is held against its schema, with the place in it and in the description", () => {
  const check = bodyCheck(
    { type: "array", items: { $ref: "#/components/schemas/Pet" } },
    { Pet: PET },
  );
  deepEqual(check('[{"id": 1, "name": "a"}]'), []);
  deepEqual(check('[{"id": "1", "name": "a", "parent": {"id": 2}}, 3]'), [
    "Pet/properties/id/type: /0/id must be integer",
    "Pet/required: /0/parent must have required property 'name'",
    "Pet/type: /1 must be object",
  ]);
  deepEqual(check("{}"), ["type: the body must be array"]);
});

Deno.test("contract: nullable, exclusive limits and writeOnly of version 3.0", () => {
  const check = bodyCheck({
    type: "object",
    required: ["password", "tag"],
    properties: {
      password: { type: "string", writeOnly: true },
      tag: { type: "string", enum: ["a", "b"], nullable: true },
      more: { nullable: true, allOf: [{ $ref: "#/components/schemas/Pet" }] },
      age: { type: "number", minimum: 0, exclusiveMinimum: true },
    },
  }, { Pet: PET });
  deepEqual(check('{"tag": null, "more": null, "age": 0.1}'), []);
  deepEqual(check('{"tag": "c", "age": 0}'), [
    "properties/tag/enum: /tag must be equal to one of the allowed values",
    "properties/age/exclusiveMinimum: /age must be > 0",
  ]);
});

Deno.test("contract: version 3.1 has lists of types, and keywords beside a reference", () => {
  const check = bodyCheck(
    {
      $ref: "#/components/schemas/Pet",
      required: ["tag"],
      properties: { tag: { type: ["string", "null"], const: null } },
    },
    { Pet: PET },
    "3.1.0",
  );
  deepEqual(check('{"id": 1, "name": "a", "tag": null}'), []);
  deepEqual(check('{"id": 1, "name": "a"}'), [
    "allOf/1/required: the body must have required property 'tag'",
  ]);
});

Deno.test("contract: a choice that fails is one violation", () => {
  const check = bodyCheck({
    oneOf: [{ $ref: "#/components/schemas/Pet" }, { type: "string" }],
  }, { Pet: PET });
  deepEqual(check('"a"'), []);
  deepEqual(check('{"id": 1}'), [
    "oneOf: the body must match exactly one schema in oneOf",
  ]);
});

Deno.test("contract: what only follows from a choice that failed is not reported", () => {
  const part = (name: string) => ({
    type: "object",
    required: [name],
    properties: { [name]: { type: "integer" }, more: {} },
  });
  const check = bodyCheck(
    { oneOf: [part("card"), part("bank")], unevaluatedProperties: false },
    {},
    "3.1.0",
  );
  deepEqual(check('{"card": 1, "more": 2}'), []);
  deepEqual(check('{"card": "x", "more": 2}'), [
    "oneOf: the body must match exactly one schema in oneOf",
  ]);
  deepEqual(check('{"card": 1, "other": 2}'), [
    "unevaluatedProperties: the body must NOT have unevaluated properties: other",
  ]);
});

Deno.test("contract: formats, patterns and long integers", () => {
  const check = bodyCheck({
    type: "object",
    properties: {
      at: { type: "string", format: "date-time" },
      id: { type: "integer", format: "int64" },
      code: { type: "string", pattern: "^(a+)+$" },
      odd: { type: "string", format: "of-our-own" },
    },
  });
  deepEqual(
    check(
      '{"at": "2026-11-23T10:00:00Z", "id": 9007199254740993, "odd": "x"}',
    ),
    [],
  );
  deepEqual(check('{"at": "yesterday", "id": 9007199254740993}'), [
    'properties/at/format: /at must match format "date-time"',
  ]);
  // A pattern that would take for ever elsewhere.
  deepEqual(check(`{"code": "${"a".repeat(5_000)}!"}`), [
    'properties/code/pattern: /code must match pattern "^(a+)+$"',
  ]);
});

Deno.test("contract: a multiple is one of decimals, as they are written", () => {
  const rows: readonly [step: number, good: string[], bad: string[]][] = [
    [
      0.01,
      ["0.07", "19.99", "-4.35", "1e300", "123456789012.01", "0"],
      ["0.071", "19.999", "1e-300"],
    ],
    [5, ["5", "-10", "15.0", "0"], ["7", "2.5"]],
    [1e-7, ["0.0000003", "1"], ["0.00000035"]],
  ];
  for (const [multipleOf, good, bad] of rows) {
    const check = bodyCheck({ type: "number", multipleOf });
    for (const each of good) deepEqual(check(each), [], each);
    for (const each of bad) {
      deepEqual(check(each), [
        `multipleOf: the body must be multiple of ${multipleOf}`,
      ]);
    }
  }
});

Deno.test("contract: what no double holds, and a step of 0, have no multiples", () => {
  for (const [multipleOf, text] of [[1, "1e400"], [0, "7"]] as const) {
    deepEqual(bodyCheck({ multipleOf })(text), [
      `multipleOf: the body must be multiple of ${multipleOf}`,
    ]);
  }
});

Deno.test("contract: a day or a time has to exist", () => {
  const check = bodyCheck({
    type: "object",
    properties: { day: { type: "string", format: "date" } },
  });
  deepEqual(check('{"day": "2024-02-29"}'), []);
  for (const day of ["2026-02-29", "2026-19-39", "2026-2-3"]) {
    deepEqual(check(`{"day": "${day}"}`), [
      'properties/day/format: /day must match format "date"',
    ]);
  }
});

Deno.test("contract: a schema may have any name, and is referred to by its path", () => {
  const name = "A b#ü~1";
  const pointer = encodeURIComponent(name.replaceAll("~", "~0"));
  const $ref = `#/components/schemas/${pointer}`;
  const check = bodyCheck({ $ref }, { [name]: { type: "integer" } });
  deepEqual(check("1"), []);
  equal(check('"a"').length, 1);
  for (const reference of ["#anchor", "#"]) {
    throws(
      () => bodyCheck({ $ref: reference }, {}, "3.1.0")("1"),
      /the reference `#\w*` cannot be followed: `\$anchor` and `\$id` are not read/,
    );
  }
});

Deno.test("contract: items that have to differ are compared in time that grows with their number", () => {
  const check = bodyCheck({ type: "array", uniqueItems: true });
  const items = Array.from({ length: 20_000 }, (_, i) => ({ i }));
  deepEqual(check(JSON.stringify(items)), []);
  deepEqual(check(JSON.stringify([...items, { i: 7 }])), [
    "uniqueItems: the body must not have equal items",
  ]);
});

Deno.test("contract: of a long body the first error is enough, of a short one at most 20 are", () => {
  const check = bodyCheck({ type: "array", items: { type: "string" } });
  // Items that are alike are one.
  deepEqual(check("[1, 2, 3]"), ["items/type: /0 must be string"]);
  const names = Array.from({ length: 100 }, (_, i) => "n".repeat(i + 1));
  const all = bodyCheck({ type: "object", required: names });
  equal(all("{}").length, 20);
  equal(check(JSON.stringify(Array(40_000).fill(1))).length, 1);
});

Deno.test("contract: a body that refers to itself too deeply ends no run", () => {
  const list = { type: "array", items: { $ref: "#/components/schemas/List" } };
  const check = bodyCheck({ $ref: "#/components/schemas/List" }, {
    List: list,
  });
  const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  deepEqual(check(deep(50)), []);
  const [violation = ""] = check(deep(60_000));
  ok(violation === "" || /cannot be checked/.test(violation), violation);
});

/** Schemas of which each refers to the next one, and the last to the first. */
function ring(length: number): object {
  const next = (i: number) => `#/components/schemas/S${(i + 1) % length}`;
  return Object.fromEntries(
    Array.from({ length }, (_, i) => [`S${i}`, {
      ...{ type: "object", required: ["id"] },
      properties: { id: { type: "integer" }, next: { $ref: next(i) } },
    }]),
  );
}

Deno.test("contract: a schema that leads to hundreds of others is compiled", () => {
  const check = bodyCheck({ $ref: "#/components/schemas/S0" }, ring(600));
  deepEqual(check('{"id":1,"next":{"id":2,"next":{"id":3}}}'), []);
  deepEqual(check('{"id":1,"next":{"id":2,"next":{"id":"3"}}}'), [
    "S2/properties/id/type: /next/next/id must be integer",
  ]);
});

Deno.test("contract: a description may have thousands of schemas that lead to one another", () => {
  const schema = { $ref: "#/components/schemas/S0" };
  const check = checkOf({
    paths: {
      "/all": {
        get: { responses: { 200: { content: { "text/html": { schema } } } } },
      },
      "/one": { get: { responses: { 200: {} } } },
    },
    schemas: ring(5000),
  });
  check.prepare(["GET /one"]);
  const held = check.hold(responseOf({ path: "/one" }));
  deepEqual(held?.violations, []);
});

const OPERATIONS = {
  "/pets": {
    get: { responses: { 200: {}, "4XX": {}, default: {} } },
    post: { responses: { 201: {} } },
  },
  "/pets/{id}": {
    get: {
      responses: {
        200: { content: { "application/json": {}, "text/*": {} } },
        204: {},
      },
    },
    head: { responses: { 200: { content: { "application/json": {} } } } },
  },
  "/pets/mine": { get: { responses: { 200: {} } } },
  "/files/{name}.{type}": { get: { responses: { 200: {} } } },
};

Deno.test("contract: the operation of a request, under any of its servers' paths", () => {
  const servers = [
    { url: "https://a.example/v1" },
    { url: "{root}/beta", variables: { root: { default: "/root" } } },
  ];
  const check = checkOf({ paths: OPERATIONS, servers }, { base: "/gate" });
  const rows: [path: string, operation: string | undefined][] = [
    ["/v1/pets", "GET /pets"],
    ["/root/beta/pets", "GET /pets"],
    ["/gate/pets", "GET /pets"],
    ["/pets/7", "GET /pets/{id}"],
    ["/pets/a%2Fb", "GET /pets/{id}"],
    ["/pets/mine", "GET /pets/mine"],
    ["/pets/min%65", "GET /pets/mine"],
    ["/files/a.b.png", "GET /files/{name}.{type}"],
    ["/files/png", undefined],
    ["/pets/7/8", undefined],
    ["/v2/pets", undefined],
    ["/pets/%E0%A4%A", "GET /pets/{id}"],
  ];
  for (const [path, operation] of rows) {
    equal(check.hold(responseOf({ path }))!.operation, operation, path);
  }
  equal(
    check.hold(responseOf({ method: "PUT", path: "/pets" }))?.operation,
    undefined,
  );
});

Deno.test("contract: status, media type and whether there is a body", () => {
  const check = checkOf({ paths: OPERATIONS });
  const rows: [given: Given, why: string | undefined][] = [
    [{ path: "/pets", status: 500 }, undefined],
    [{ path: "/pets", status: 404 }, undefined],
    [
      { path: "/pets", method: "POST", status: 200 },
      "status 200 is not described",
    ],
    [
      { path: "/pets", method: "POST", status: 201, body: "{}" },
      "there is a body, and none is described",
    ],
    [{ path: "/pets/1", body: "{}" }, undefined],
    [{ path: "/pets/1", body: "<p>", type: "text/html" }, undefined],
    [
      { path: "/pets/1", body: "<p>", type: "image/png" },
      "media type image/png is not described",
    ],
    [
      { path: "/pets/1", body: "x", type: "" },
      "the body has no `Content-Type`",
    ],
    [{ path: "/pets/1", body: "{" }, "the body is not JSON"],
    [{ path: "/pets/1" }, "there is no body"],
    [{ path: "/pets/1", status: 204 }, undefined],
    [{ path: "/pets/1", status: 304 }, "status 304 is not described"],
    [{ path: "/pets/1", method: "HEAD" }, undefined],
  ];
  for (const [given, why] of rows) {
    const [violation] = check.hold(responseOf(given))!.violations;
    equal(violation?.message, why, JSON.stringify(given));
  }
  const [status] = check.hold(responseOf({ path: "/pets", method: "POST" }))!
    .violations;
  deepEqual([status?.expected?.text, status?.actual?.text], ["201", "200"]);
});

Deno.test("contract: only schemas that calls may need are compiled before, and a wrong one is named", () => {
  const content = (schema: object) => ({
    responses: { 200: { content: { "application/json": { schema } } } },
  });
  const paths = {
    "/good/{id}": { get: content({ type: "string" }) },
    "/wrong": { get: content({ type: "strange" }) },
  };
  const check = checkOf({ paths, servers: [{ url: "/v1" }] });
  check.prepare(["GET /good/{{ id }}", "POST /wrong", "GET /v2/wrong"]);
  for (const call of ["GET /wrong", "GET /v1/wrong", "GET /{{ path }}"]) {
    throws(() => check.prepare([call]), (error: Error) => {
      match(error.message, /api\.json: a schema of GET \/wrong cannot be used/);
      return true;
    });
  }
});

Deno.test("contract: a reference that leads nowhere is named where a step may need it", () => {
  const json = (schema: object) => ({ "application/json": { schema } });
  const paths = {
    "/body": {
      get: { responses: { 200: { content: json({ $ref: "#/$defs/Pet" }) } } },
    },
    "/within": {
      get: {
        responses: {
          200: { content: json({ $ref: "#/components/schemas/List" }) },
        },
      },
    },
    "/media": {
      get: {
        responses: {
          200: {
            content: { "text/*": { $ref: "#/components/schemas/no media" } },
          },
        },
      },
    },
    "/response": {
      get: { responses: { 200: { $ref: "#/components/schemas/Response" } } },
    },
    "/loop": {
      get: {
        responses: {
          200: { content: json({ $ref: "#/components/schemas/Loop" }) },
        },
      },
    },
    "/whole": { get: { responses: { 200: { content: json({}) } } } },
  };
  const check = checkOf({
    paths,
    schemas: {
      List: { type: "array", items: { $ref: "#/components/schemas/Item" } },
      Pet: {},
      Loop: { $ref: "#/components/schemas/Loop" },
    },
  });
  check.prepare(["GET /whole"]);
  const rows: [path: string, reference: string][] = [
    ["/body", "#/$defs/Pet"],
    ["/within", "#/components/schemas/Item"],
    ["/media", "#/components/schemas/no media"],
    ["/response", "#/components/schemas/Response"],
    ["/loop", "#/components/schemas/Loop"],
  ];
  for (const [path, reference] of rows) {
    throws(() => check.prepare([`GET ${path}`]), (error: Error) => {
      equal(
        error.message.replace(/^.*api\.json/, "api.json"),
        `api.json: a schema of GET ${path} cannot be used: the reference \`${reference}\` leads nowhere`,
      );
      return true;
    });
  }
});

Deno.test("contract: what is no description, or describes nothing, is refused", () => {
  using folder = workspace({
    "old.yaml": "swagger: '1.2'\npaths: {}\n",
    "empty.yaml": "openapi: 3.1.0\npaths: {}\n",
    "path.yaml":
      "openapi: 3.1.0\npaths: { /a: { $ref: ./a.yaml }, /b: { get: {} } }\n",
    "out.yaml":
      "openapi: 3.1.0\npaths: { /a: { get: { responses: { 200: { $ref: '../x.yaml#/a' } } } } }\n",
  });
  const rows: [file: string, why: RegExp][] = [
    ["old.yaml", /is OpenAPI 1\.2/],
    ["empty.yaml", /describes no operation/],
    ["out.yaml", /cannot be read|leads out of the folder/],
    ["none.yaml", /does not exist/],
    [
      "path.yaml",
      /path\.yaml: the path \/a cannot be used: .*`\.\/a\.yaml` leads nowhere/,
    ],
  ];
  for (const [file, why] of rows) {
    throws(() => readContract(join(folder.path, file), "fail"), why);
  }
});

Deno.test("contract: version 2.0 is read in the words of 3.0", () => {
  using folder = workspace({
    "old.yaml": `swagger: "2.0"
basePath: /v2
produces: [application/json]
responses: { A: { schema: { $ref: "#/definitions/A" } } }
definitions: { A: { type: object, properties: { b: { type: string, x-nullable: true } } } }
paths:
  /a:
    get: { responses: { 200: { $ref: "#/responses/A" }, 204: { description: none } } }
    post: { produces: [], responses: { 200: { schema: { type: integer } }, 201: { schema: { type: file } } } }
`,
  });
  const { operations, prefixes, defs } = readContract(
    join(folder.path, "old.yaml"),
    "fail",
  );
  deepEqual(prefixes, ["/v2"]);
  const [get, post] = operations;
  deepEqual(Object.keys(get!.responses["200"]!.content!), [
    "application/json",
  ]);
  deepEqual(get!.responses["204"], {});
  deepEqual(post!.responses["200"]!.content, {
    "*/*": { type: "integer" },
  });
  deepEqual(Object.values(defs), [{
    type: "object",
    properties: { b: { type: ["string", "null"] } },
  }]);
});
