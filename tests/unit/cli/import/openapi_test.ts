import {
  deepStrictEqual,
  match,
  ok,
  strictEqual,
  throws,
} from "node:assert/strict";
import { join } from "node:path";
import { flowYaml } from "../../../../cli/import/draft/flow_yaml.ts";
import {
  importOpenapi,
} from "../../../../cli/import/openapi/import_openapi.ts";
import { readOpenapi } from "../../../../lib/openapi/description.ts";
import type { JsonObject } from "../../../../lib/base/values/json.ts";
import { workspace } from "../../../support/bench.ts";
import { compiled } from "./imported.ts";

function drafts(
  files: Readonly<Record<string, string>>,
  options: Parameters<typeof importOpenapi>[1] = {},
) {
  using folder = workspace(files);
  const file = join(folder.path, Object.keys(files)[0]!);
  return importOpenapi(readOpenapi(file), options);
}

const SHOP = `openapi: 3.0.3
info: { title: Shop API, version: "1" }
servers:
  - url: https://{region}.shop.example/v2/
    variables: { region: { default: eu } }
security:
  - token: []
paths:
  /orders:
    get:
      tags: [Orders]
      operationId: listOrders
      summary: All orders
      parameters:
        - { name: status, in: query, required: true, schema: { type: string, enum: [open, closed] } }
        - { name: page, in: query, schema: { type: integer } }
        - { name: X-Shop, in: header, required: true, example: north, schema: { type: string } }
      responses: { "200": { description: ok }, default: { description: error } }
    post:
      tags: [Orders]
      operationId: createOrder
      requestBody:
        content:
          application/json:
            schema: { $ref: "schemas.yaml#/Order" }
      responses: { "201": { description: made }, "400": { description: no } }
  /orders/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: integer } }
    delete:
      tags: [Orders]
      responses: { 2XX: { description: gone } }
  /login:
    post:
      tags: [Access]
      security: []
      requestBody:
        content:
          application/json:
            example: { user: ada, password: geheim }
      responses: { "200": { description: in } }
  /upload:
    post:
      tags: [Access]
      security: [{ key: [] }]
      requestBody:
        content: { multipart/form-data: { schema: { type: object } } }
      responses: { "204": { description: there } }
components:
  securitySchemes:
    token: { type: http, scheme: bearer }
    key: { type: apiKey, in: query, name: api_key }
`;
const SCHEMAS = `Order:
  type: object
  required: [product, lines, parent]
  properties:
    id: { type: integer, readOnly: true }
    product: { type: string, example: lamp }
    note: { type: string }
    lines:
      type: array
      items: { $ref: "#/Line" }
    parent: { $ref: "#/Order" }
Line:
  type: object
  required: [sku, count]
  properties:
    sku: { type: string, format: uuid }
    count: { type: integer, minimum: 1 }
`;

Deno.test("import openapi: a flow a tag, a step an operation, with references to other files", async () => {
  const [orders, access] = drafts({
    "shop.yaml": SHOP,
    "schemas.yaml": SCHEMAS,
  });
  strictEqual(
    flowYaml(orders!).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<uuid>")
      .replace(/( +parent:)[^]*?(?=\n {4}assert)/, "$1 ..."),
    `# Made by \`bench import openapi\`.

flow: orders

auth: { scheme: bearer, token: "{{ env.API_TOKEN }}" }

steps:
  # All orders
  - id: list-orders
    call: GET /orders
    headers:
      X-Shop: north
    query: { status: open }
    assert:
      - status == 200
    on_failure: record

  # Made up, for want of an example: the body.
  - id: create-order
    call: POST /orders
    body:
      product: lamp
      lines:
        - sku: <uuid>
          count: 1
      parent: ...
    assert:
      - status == 201
    on_failure: record

  # Made up, for want of an example: id.
  - id: delete-orders-one
    call: DELETE /orders/1
    assert:
      - status >= 200
      - status < 300
    on_failure: record
`,
  );
  strictEqual(
    flowYaml(access!).split("steps:\n")[1],
    `  - id: post-login
    call: POST /login
    body:
      user: ada
      password: "{{ env.PASSWORD }}"
    assert:
      - status == 200
    on_failure: record

  # Left out a body of \`multipart/form-data\`.
  - id: post-upload
    call: POST /upload
    auth:
      scheme: api_key
      in: query
      name: api_key
      value: "{{ env.API_KEY }}"
    assert:
      - status == 204
    on_failure: record
`,
  );
  for (const each of [orders!, access!]) {
    deepStrictEqual(each.baseUrls, ["https://eu.shop.example/v2"]);
    strictEqual(each.target, "shop-api");
    await compiled(each);
  }
});

Deno.test("import openapi: 3.1 as JSON, OAuth2, cookies, no server", async () => {
  const [draft] = drafts({
    "api.json": JSON.stringify({
      openapi: "3.1.0",
      info: { title: "One" },
      paths: {
        "/a/{key}": {
          get: {
            parameters: [{ $ref: "#/components/parameters/key" }],
            security: [{ oauth: ["read"], extra: [] }],
            responses: { 200: {} },
          },
          put: {
            security: [{ session: [] }],
            parameters: [
              { $ref: "#/components/parameters/key" },
              {
                ...{ name: "X-Api-Key", in: "header", required: true },
                example: "k-1234567890abcdef",
              },
            ],
            requestBody: { $ref: "#/components/requestBodies/thing" },
            responses: { 200: {} },
          },
        },
      },
      components: {
        parameters: {
          key: {
            name: "key",
            in: "path",
            required: true,
            schema: { type: ["string", "null"], examples: ["k 1"] },
          },
        },
        requestBodies: {
          thing: {
            content: {
              "application/vnd.api+json": {
                examples: { one: { value: { n: 1 } } },
              },
            },
          },
        },
        securitySchemes: {
          oauth: {
            type: "oauth2",
            flows: {
              clientCredentials: {
                tokenUrl: "https://id.example/token",
                scopes: {},
              },
            },
          },
          extra: { type: "apiKey", in: "header", name: "X-Extra" },
          session: { type: "apiKey", in: "cookie", name: "sid" },
        },
      },
    }),
  });
  const text = flowYaml(draft!);
  match(
    text,
    /call: GET \/a\/k%201\n {4}auth:\n {6}scheme: oauth2_client_credentials\n {6}token_url: https:\/\/id\.example\/token\n/,
  );
  match(text, /X-Extra: "\{\{ env\.IMPORTED_X_EXTRA \}\}"/);
  match(
    text,
    /auth: \{ scheme: cookie, name: sid, value: "\{\{ env\.SID \}\}" \}/,
  );
  match(text, /X-Api-Key: "\{\{ env\.X_API_KEY \}\}"/);
  match(
    text,
    /Content-Type: application\/vnd\.api\+json\n {4}body:\n {6}n: 1\n/,
  );
  deepStrictEqual(draft!.baseUrls, [
    "https://host.invalid",
    "https://id.example",
  ]);
  match(draft!.notes.join(), /the file names no host/);
  await compiled(draft!);
});

Deno.test("import openapi: --tag takes one tag, and names those there are", () => {
  const files = { "shop.yaml": SHOP, "schemas.yaml": SCHEMAS };
  const [only, ...others] = drafts(files, { tag: "Access", name: "in" });
  deepStrictEqual([only!.name, others.length], ["in", 0]);
  using folder = workspace(files);
  const document = readOpenapi(join(folder.path, "shop.yaml"));
  throws(
    () => importOpenapi(document, { tag: "Order" }),
    /there is no tag "Order"/,
  );
});

Deno.test("import openapi: what is no OpenAPI 2 or 3 is refused", () => {
  const refused: readonly [string, RegExp][] = [
    [
      "swagger: '1.2'\npaths: {}\n",
      /is OpenAPI 1\.2, not 2\.0 or 3\.0 to 3\.2/,
    ],
    ["swagger: '2.0'\npaths: {}\n", /describes no operation/],
    ["a: 1\n", /is not an OpenAPI file: it has no `openapi`/],
    ["openapi: 3.0.0\npaths: { $ref: '.' }\n", /cannot be read: /],
    ["openapi: 3.0.0\npaths: {}\n", /describes no operation/],
  ];
  for (const [text, said] of refused) {
    throws(() => drafts({ "x.yaml": text }), said);
  }
});

const SWAGGER = `swagger: "2.0"
info: { title: Pet store, version: "1" }
host: pets.example
basePath: /v2
schemes: [ws, http]
consumes: [application/json]
produces: [application/json, application/xml]
securityDefinitions:
  basic: { type: basic }
  key: { type: apiKey, in: header, name: api_key }
  app: { type: oauth2, flow: application, tokenUrl: "http://pets.example/token", scopes: { read: r } }
  user: { type: oauth2, flow: implicit, authorizationUrl: "https://pets.example/a", scopes: { read: r } }
parameters:
  limit: { name: limit, in: query, required: true, type: integer, default: 20 }
responses:
  Pets: { description: ok, schema: { type: array, items: { $ref: "#/definitions/Pet" } } }
definitions:
  Pet:
    type: object
    required: [name, tag]
    properties:
      id: { type: integer, format: int64, readOnly: true }
      name: { type: string, example: doggie }
      tag: { $ref: "#/definitions/Tag" }
  Tag: { type: object, required: [id], properties: { id: { type: integer, example: 7 } } }
paths:
  /pets/{petId}:
    parameters:
      - { name: petId, in: path, required: true, type: integer, format: int64 }
    get:
      operationId: getPet
      security: [{ key: [] }]
      responses: { "200": { $ref: "#/responses/Pets" } }
    post:
      operationId: updatePet
      consumes: [application/x-www-form-urlencoded]
      security: [{ user: [read] }]
      parameters:
        - { name: name, in: formData, required: true, type: string, x-example: rex }
        - { name: status, in: formData, type: string }
      responses: { "204": { description: done } }
  /pets/{petId}/image:
    post:
      operationId: upload
      consumes: [multipart/form-data]
      parameters:
        - { name: petId, in: path, required: true, type: integer }
        - { name: file, in: formData, required: true, type: file }
      responses: { default: { description: x } }
  /pets:
    post:
      operationId: addPet
      security: [{ app: [read] }]
      parameters:
        - { name: body, in: body, required: true, schema: { $ref: "#/definitions/Pet" } }
      responses: { "201": { description: ok, schema: { $ref: "#/definitions/Pet" } } }
    get:
      operationId: findPets
      security: [{ basic: [] }]
      parameters:
        - $ref: "#/parameters/limit"
        - { name: status, in: query, required: true, type: array, items: { type: string, enum: [available, sold] }, collectionFormat: multi, x-example: [available, sold] }
        - { name: tags, in: query, required: true, type: array, items: { type: string }, x-example: [a, b] }
        - { name: bars, in: query, required: true, type: array, items: { type: string }, collectionFormat: pipes, x-example: [a, b] }
        - { name: X-Ids, in: header, required: true, type: array, items: { type: integer }, x-example: [1, 2] }
      responses: { "200": { $ref: "#/responses/Pets" } }
`;

Deno.test("import openapi: version 2.0 is read in the words of 3.0", async () => {
  const [draft] = drafts({ "pets.yaml": SWAGGER });
  await compiled(draft!);
  deepStrictEqual(draft!.baseUrls, [
    "http://pets.example/v2",
    "http://pets.example",
  ]);
  const [get, update, upload, find, add] = draft!.steps;
  deepStrictEqual([get!.call, get!.assert, get!.auth?.["name"]], [
    "GET /pets/1",
    ["status == 200"],
    "api_key",
  ]);
  deepStrictEqual([update!.form, update!.auth?.["scheme"]], [
    { name: "rex" },
    "bearer",
  ]);
  deepStrictEqual([upload!.call, upload!.lost], [
    "POST /pets/1/image",
    ["Left out a body of `multipart/form-data`."],
  ]);
  deepStrictEqual(
    [find!.call, find!.query, find!.headers, find!.auth?.["scheme"]],
    [
      "GET /pets?tags=a,b",
      { limit: 20, status: ["available", "sold"], bars: "a|b" },
      { "X-Ids": "1,2" },
      "basic",
    ],
  );
  deepStrictEqual([add!.body, add!.auth?.["token_url"]], [
    { name: "doggie", tag: { id: 7 } },
    "http://pets.example/token",
  ]);
});

Deno.test("import openapi: parameters are written after their `style` and `explode`", async () => {
  const list = { example: ["blue", "a,b"] };
  const object = { example: { R: 100, G: 2 } };
  const nested = { example: { near: { lat: 1 } } };
  /** What a parameter becomes, and what is said of it. */
  const cases: readonly [JsonObject, string, RegExp?][] = [
    [{ in: "query", ...list }, "query c: blue|a,b"],
    [{ in: "query", explode: false, ...list }, "/?c=blue,a%2Cb"],
    [{ in: "query", ...object }, "query R: 100, G: 2"],
    [{ in: "query", explode: false, ...object }, "/?c=R,100,G,2"],
    [{ in: "query", style: "spaceDelimited", ...list }, "query c: blue a,b"],
    [{ in: "query", style: "pipeDelimited", ...object }, "query c: R|100|G|2"],
    [
      { in: "query", style: "deepObject", ...object },
      "query c[R]: 100, c[G]: 2",
    ],
    [
      { in: "query", style: "deepObject", ...list },
      "query c: blue|a,b",
      /c \(query\): .*nothing of a list, sent as `form`/,
    ],
    [
      { in: "query", style: "deepObject", ...nested },
      'query c[near]: {"lat":1}',
      /inside another, sent as JSON/,
    ],
    [
      { in: "query", style: "matrix", ...list },
      "query c: blue|a,b",
      /`style: matrix` is none of a query, sent as `form`/,
    ],
    [
      { in: "query", content: { "application/json": nested } },
      'query c: {"near":{"lat":1}}',
    ],
    [{ in: "path", ...list }, "/blue,a%2Cb"],
    [{ in: "path", explode: true, ...object }, "/R=100,G=2"],
    [{ in: "path", style: "label", explode: true, ...list }, "/.blue.a%2Cb"],
    [{ in: "path", style: "label", ...object }, "/.R,100,G,2"],
    [{ in: "path", style: "matrix", ...list }, "/;c=blue,a%2Cb"],
    [
      { in: "path", style: "matrix", explode: true, ...list },
      "/;c=blue;c=a%2Cb",
    ],
    [{ in: "path", style: "matrix", explode: true, ...object }, "/;R=100;G=2"],
    [{ in: "path", style: "matrix", example: 5 }, "/;c=5"],
    [{ in: "header", ...object }, "header c: R,100,G,2"],
    [{ in: "header", explode: true, ...object }, "header c: R=100,G=2"],
    [
      // Its value is a variable.
      { in: "cookie", ...list },
      "/",
      /a cookie is one value/,
    ],
  ];
  for (const [parameter, sent, note] of cases) {
    const { in: place } = parameter;
    const [draft] = drafts({
      "api.json": JSON.stringify({
        openapi: "3.1.0",
        paths: {
          [place === "path" ? "/{c}" : "/"]: {
            get: { parameters: [{ name: "c", required: true, ...parameter }] },
          },
        },
      }),
    });
    const [step] = draft!.steps;
    const { call = "", query = {}, headers = {} } = step!;
    const shown = Object.entries(query).map(([name, value]) =>
      `${name}: ${[value].flat().join("|")}`
    );
    const fields = Object.entries(headers).map((each) => each.join(": "));
    strictEqual(
      shown.length > 0
        ? `query ${shown.join(", ")}`
        : fields.length > 0
        ? `header ${fields.join()}`
        : call.slice("GET ".length),
      sent,
      JSON.stringify(parameter),
    );
    match(step!.lost.join(), note ?? /^$/);
    await compiled(draft!);
  }
});

Deno.test("import openapi: each method of a path is a step", async () => {
  const methods = "get head post put patch delete options trace".split(" ");
  const item = Object.fromEntries(methods.map((each) => [each, {}]));
  const [draft] = drafts({
    "api.json": JSON.stringify({ openapi: "3.0.0", paths: { "/a": item } }),
  });
  await compiled(draft!);
  deepStrictEqual(
    draft!.steps.map(({ call }) => call),
    methods.map((each) => `${each.toUpperCase()} /a`),
  );
});

Deno.test("import openapi: what is made up is a value of its schema", async () => {
  const node = (kids: JsonObject) => ({
    type: "object",
    required: ["kids"],
    properties: { kids },
  });
  const self = { $ref: "#/components/schemas/node" };
  const pairs = { $ref: "#/components/schemas/pair" };
  const number = (more: JsonObject) => ({ type: "number", ...more });
  const cases: readonly [JsonObject, unknown][] = [
    [self, { kids: [] }],
    [{ type: "array", items: self }, [{ kids: [] }]],
    [pairs, { kids: [{ kids: {} }] }],
    [{ type: "object", additionalProperties: { type: "integer" } }, {
      property1: 0,
      property2: 0,
    }],
    [number({ multipleOf: 5 }), 5],
    [number({ multipleOf: 5, minimum: 0 }), 0],
    [number({ multipleOf: 5, minimum: 12 }), 15],
    [number({ multipleOf: 5, minimum: 15, exclusiveMinimum: true }), 20],
    [number({ multipleOf: 5, exclusiveMinimum: 15 }), 20],
    [number({ multipleOf: 5, maximum: -3 }), -5],
    [number({ multipleOf: 5, exclusiveMaximum: 5 }), 0],
    [number({ multipleOf: 0.1, minimum: 0.3 }), 0.3],
    [number({ multipleOf: 5, example: 7 }), 7],
    [{ type: "string", maxLength: 3 }, "str"],
  ];
  const schemas = {
    node: node({ type: "array", items: self }),
    pair: node({
      ...{ type: "array", minItems: 1 },
      items: node({ type: "object", additionalProperties: pairs }),
    }),
  };
  const text = { type: "string" };
  const parameters = [
    { name: "customer", schema: { ...text, maxLength: 6 } },
    { name: "q", schema: { ...text, minLength: 3 } },
    { name: "n", schema: number({ multipleOf: 2, minimum: 0 }) },
    { name: "m", schema: { type: "integer" } },
  ].map((each) => ({ in: "query", required: true, ...each }));
  const bodies = cases.map(([schema], at) => [`/${at}`, {
    post: { requestBody: { content: { "application/json": { schema } } } },
  }]);
  const [draft] = drafts({
    "api.json": JSON.stringify({
      openapi: "3.1.0",
      paths: { "/q": { get: { parameters } }, ...Object.fromEntries(bodies) },
      components: { schemas },
    }),
  });
  await compiled(draft!);
  const steps = new Map(draft!.steps.map((each) => [each.call, each]));
  deepStrictEqual(steps.get("GET /q")!.query, {
    customer: "custom",
    q: "qqq",
    n: 0,
    m: 1,
  });
  cases.forEach(([schema, value], at) =>
    deepStrictEqual(
      steps.get(`POST /${at}`)!.body,
      value,
      JSON.stringify(schema),
    )
  );
});

Deno.test("import openapi: a property that has an example is sent, required or not", async () => {
  const schema = {
    type: "object",
    required: ["kind"],
    properties: {
      kind: { type: "string", enum: ["a", "b"] },
      note: { type: "string" },
      size: { type: "integer", example: 7 },
      tag: { $ref: "#/components/schemas/Tag" },
      id: { type: "integer", readOnly: true, example: 1 },
      away: { $ref: "gone.json" },
    },
  };
  const [draft] = drafts({
    "a.json": JSON.stringify({
      openapi: "3.1.0",
      paths: {
        "/a": {
          post: {
            requestBody: { content: { "application/json": { schema } } },
          },
        },
      },
      components: { schemas: { Tag: { type: "string", examples: ["new"] } } },
    }),
  });
  const [step] = (await compiled(draft!)).steps;
  const { body } = step!.block as JsonObject;
  deepStrictEqual(body, { kind: "a", size: 7, tag: "new" });
});

Deno.test("import openapi: a body that is no JSON is a form or the text of its example", async () => {
  const bodyOf = async (content: JsonObject) => {
    const post = { requestBody: { content } };
    const [draft] = drafts({
      "a.json": JSON.stringify({
        openapi: "3.0.3",
        paths: { "/a": { post } },
      }),
    });
    await compiled(draft!);
    const [{ headers, text, form, multipart, lost } = { lost: [] }] =
      draft!.steps;
    return { ...headers, ...{ text, form, multipart }, lost };
  };
  const none = { text: undefined, form: undefined, multipart: undefined };
  const schema = {
    type: "object",
    required: ["title", "meta"],
    properties: {
      title: { type: "string", example: "T" },
      meta: { type: "object", example: { a: 1 } },
      file: { type: "string", format: "binary" },
    },
  };
  deepStrictEqual(await bodyOf({ "multipart/form-data": { schema } }), {
    ...none,
    multipart: {
      title: "T",
      meta: { text: '{"a":1}', type: "application/json" },
    },
    lost: [],
  });
  const upload = { ...schema, required: ["file"] };
  deepStrictEqual(
    await bodyOf({ "multipart/form-data": { schema: upload } }),
    { ...none, lost: ["Left out a body of `multipart/form-data`."] },
  );
  deepStrictEqual(
    await bodyOf({
      "image/png": { schema: { type: "string" } },
      "application/xml": { example: "<a>1</a>" },
    }),
    {
      ...none,
      "Content-Type": "application/xml",
      text: "<a>1</a>",
      lost: [],
    },
  );
});

Deno.test("import openapi: an operation may be in a file of its own", async () => {
  const [draft, ...others] = drafts({
    "a.yaml": `openapi: 3.0.3
paths:
  /items/{id}:
    get: { $ref: "items/get.yaml" }
`,
    "items/get.yaml": `operationId: getItem
tags: [Items]
parameters: [{ in: path, name: id, required: true, example: 7 }]
responses: { 204: { description: none } }
`,
  });
  await compiled(draft!);
  const [{ id, call, assert } = {}] = draft!.steps;
  deepStrictEqual([draft!.name, id, call, assert, others], [
    "items",
    "get-item",
    "GET /items/7",
    ["status == 204"],
    [],
  ]);
});

Deno.test("import openapi: a body of one of several schemas says which by its discriminator", () => {
  const body = (schema: string) =>
    `post: { requestBody: { content: { application/json: { schema: ${schema} } } }, responses: {} }`;
  const ref = (name: string) => `{ $ref: "#/components/schemas/${name}" }`;
  const [draft] = drafts({
    "api.yaml": `openapi: 3.0.3
paths:
  /base: { ${body(ref("Pet"))} }
  /mapped: { ${body(ref("Dog"))} }
  /named: { ${body(ref("Fish"))} }
  /either: { ${
      body(
        `{ oneOf: [${ref("Card")}, ${
          ref("Cash")
        }], discriminator: { propertyName: by } }`,
      )
    } }
components:
  schemas:
    Pet:
      type: object
      required: [kind]
      discriminator: { propertyName: kind, mapping: { cat: "#/components/schemas/Cat", dog: Dog } }
      properties: { kind: { type: string } }
    Cat: { allOf: [${
      ref("Pet")
    }, { type: object, required: [lives], properties: { lives: { type: integer } } }] }
    Dog: { allOf: [${
      ref("Pet")
    }, { type: object, required: [barks], properties: { barks: { type: boolean } } }] }
    Fish: { allOf: [${ref("Pet")}] }
    Card: { type: object, required: [by, number], properties: { by: { type: string }, number: { type: string, example: "4" } } }
    Cash: { type: object }
`,
  });
  deepStrictEqual(
    draft!.steps.map(({ body }) => body),
    [
      { kind: "cat", lives: 0 },
      { kind: "dog", barks: true },
      { kind: "Fish" },
      { by: "Card", number: "4" },
    ],
  );
});

Deno.test("import openapi: a reference that leads nowhere is named with its places", () => {
  const item = (name: string) => `${name}: { $ref: "#/Nope" }`;
  const [draft] = drafts({
    "api.yaml": `openapi: 3.0.3
paths:
  /a:
    post:
      parameters:
        - { $ref: "#/components/parameters/gone" }
        - { name: x, in: query, required: true, schema: { $ref: "#/loop" } }
      requestBody:
        content:
          application/json: { schema: { $ref: "more.yaml#/Item" } }
  /b: { $ref: "#/none" }
  /c: { $ref: "gone.yaml#/c" }
loop: { $ref: "#/loop" }
`,
    "more.yaml": `Item:
  required: [a, b, c, d]
  properties: { ${["a", "b", "c", "d", "e"].map(item).join(", ")} }
`,
  });
  const place = "more.yaml#/Item/properties";
  deepStrictEqual(
    draft!.notes.filter((each) => each.includes("leads nowhere")),
    [
      "left out: the reference `#/components/parameters/gone` leads nowhere, at #/paths/~1a/post/parameters/0",
      "left out: the reference `#/none` leads nowhere, at #/paths/~1b",
      "left out: the reference `gone.yaml#/c` leads nowhere, at #/paths/~1c",
      "left out: the reference `#/loop` leads nowhere, at #/loop",
      `left out: the reference \`#/Nope\` leads nowhere, at ${place}/a, ${place}/b, ${place}/c and 2 more`,
    ],
  );
  for (const reference of ["#/a", "gone.yaml"]) {
    const text = `openapi: 3.0.0\npaths: { $ref: '${reference}' }\n`;
    throws(() => drafts({ "x.yaml": text }), {
      message: "the file describes no operation",
      hint:
        `left out: the reference \`${reference}\` leads nowhere, at #/paths`,
    });
  }
});

const KEY_SCHEMES = {
  query: { type: "apiKey", in: "query", name: "api_key" },
  header: { type: "apiKey", in: "header", name: "x-api-key" },
  cookie: { type: "apiKey", in: "cookie", name: "sid" },
  bearer: { type: "http", scheme: "bearer" },
  digest: { type: "http", scheme: "digest" },
};

/** The `auth` of a step, and its headers, of an operation with these requirements. */
async function securedStep(
  security: readonly string[][],
  parameters: readonly JsonObject[] = [],
) {
  const requirements = security.map((each) =>
    Object.fromEntries(each.map((name) => [name, []]))
  );
  const [draft] = drafts({
    "a.json": JSON.stringify({
      openapi: "3.1.0",
      security: requirements,
      paths: { "/a": { get: { parameters } } },
      components: { securitySchemes: KEY_SCHEMES },
    }),
  });
  const [step] = (await compiled(draft!)).steps;
  const { headers = {}, query = {} } = step!.block as JsonObject;
  return { auth: step!.auth?.scheme, headers, query };
}

Deno.test("import openapi: a parameter that the auth of a step writes is not written twice", async () => {
  const parameter = (where: string, name: string) => ({
    ...{ in: where, name, required: true },
    example: "x",
  });
  const one = (place: string, name: string) =>
    securedStep([[place]], [parameter(place, name), parameter(place, "other")]);
  deepStrictEqual(await one("query", "api_key"), {
    auth: "api_key",
    headers: {},
    query: { other: "x" },
  });
  deepStrictEqual(await one("header", "X-API-KEY"), {
    auth: "api_key",
    headers: { other: "x" },
    query: {},
  });
  deepStrictEqual(await one("cookie", "sid"), {
    auth: "cookie",
    headers: { Cookie: "other={{ env.IMPORTED_OTHER }}" },
    query: {},
  });
});

Deno.test("import openapi: of several requirements the first that a step can fulfil is taken", async () => {
  const key = { "x-api-key": "{{ env.X_API_KEY }}" };
  const schemes = async (...security: string[][]) => {
    const { auth, headers } = await securedStep(security);
    return [auth, headers];
  };
  deepStrictEqual(await schemes(["digest"], ["bearer"]), ["bearer", {}]);
  deepStrictEqual(await schemes(["query", "bearer"], ["header"]), [
    "api_key",
    {},
  ]);
  deepStrictEqual(await schemes(["header", "bearer"]), ["bearer", key]);
  deepStrictEqual(await schemes([], ["digest"]), [undefined, {}]);
});

Deno.test("import openapi: version 3.2 has the method QUERY, and others by their names", () => {
  const described = (version: string) =>
    `openapi: ${version}
servers: [{ url: "https://shop.example" }]
paths:
  /items:
    get: { responses: { 200: { description: ok } } }
    query: { responses: { 200: { description: ok } } }
    additionalOperations:
      COPY: { responses: { 201: { description: made } } }
      x-odd: {}
`;
  const callsOf = (version: string) => {
    const [draft] = drafts({ "shop.yaml": described(version) });
    return [...flowYaml(draft!).matchAll(/call: (.*)/g)].map(([, call]) =>
      call
    );
  };
  deepStrictEqual(callsOf("3.2.0"), [
    "GET /items",
    "QUERY /items",
    "COPY /items",
  ]);
  deepStrictEqual(callsOf("3.1.0"), ["GET /items"]);
});

Deno.test("importOpenapi: names keep the letters of accented words, and other letters name no step", () => {
  const made = drafts({
    "shop.yaml": `openapi: 3.0.3
info: { title: "Café Größe", version: "1" }
servers: [{ url: https://shop.example }]
paths:
  /a: { get: { operationId: créerCommande } }
  /b/items: { get: { operationId: получить } }
`,
  });
  const text = flowYaml(made[0]!);
  match(text, /^flow: cafe-grosse$/m);
  deepStrictEqual([...text.matchAll(/- id: (.*)/g)].map(([, id]) => id), [
    "creer-commande",
    "get-b-items",
  ]);
});

Deno.test("importOpenapi: a relative token URL is that of the server, and nothing where there is none", () => {
  const described = (servers: string) =>
    flowYaml(
      drafts({
        "shop.yaml": `openapi: 3.1.1
info: { title: shop }
${servers}
security: [{ oauth: [] }]
paths: { /a: { get: {} } }
components:
  securitySchemes:
    oauth: { type: oauth2, flows: { clientCredentials: { tokenUrl: token, scopes: {} } } }
`,
      })[0]!,
    );
  match(
    described("servers: [{ url: https://shop.example/api }]"),
    /token_url: https:\/\/shop\.example\/api\/token$/m,
  );
  match(described(""), /scheme: bearer, token: "\{\{ env\.ACCESS_TOKEN \}\}"/);
});

Deno.test("importOpenapi: a list of what its items have is not made up", () => {
  const flow = (items: string) =>
    flowYaml(
      drafts({
        "shop.yaml": `openapi: 3.0.3
info: { title: shop }
servers: [{ url: https://shop.example }]
paths:
  /a: { get: { parameters: [{ name: s, in: query, required: true, schema: { type: array, ${items} } }] } }
`,
      })[0]!,
    );
  const plain = flow("items: { type: string, enum: [open, closed] }");
  match(plain, /query: \{ s: open \}/);
  ok(!/Made up/.test(plain));
  match(flow("items: { example: x }, minItems: 2"), /Made up/);
  match(flow("items: { type: string }"), /Made up/);
});
