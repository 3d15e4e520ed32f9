import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { schemaOf } from "./schema_of.ts";

/** Body of a proto3 file that is the main one. */
function main(body: string): Record<string, string> {
  return { "m.proto": `syntax = "proto3";\npackage a;\n${body}` };
}

const ERRORS: readonly (readonly [
  rule: string,
  files: Readonly<Record<string, string>>,
  expected: string,
])[] = [
  [
    "a missing number",
    main("message M {\n  string x = ;\n}\n"),
    "m.proto:4:3 illegal id `;`",
  ],
  [
    "a missing semicolon",
    main("message M {\n  string x = 1\n  string y = 2;\n}\n"),
    "m.proto:5:3 illegal token `string`, `;` expected",
  ],
  [
    "an open block",
    main("message M {\n  string x = 1;\n"),
    "m.proto:5:1 illegal end of input `null`",
  ],
  [
    "an open string",
    { "m.proto": 'syntax = "proto3;\n' },
    "m.proto:1:1 illegal string",
  ],
  ["an open comment", main("/* oh"), "m.proto:3:1 illegal comment"],
  [
    "words that mean nothing",
    { "m.proto": "hello\n" },
    "m.proto:1:1 illegal token `hello`",
  ],
  [
    "a syntax of the future",
    { "m.proto": 'syntax = "proto9";\n' },
    "m.proto:1:10 `proto9` is not a syntax of .proto files",
  ],
  [
    "a name used twice",
    main("message M {\n  string x = 1;\n  int32 x = 2;\n}\n"),
    "m.proto:5:3 duplicate name `x` in Type M",
  ],
  [
    "a number used twice",
    main("message M {\n  string x = 1;\n  int32 y = 1;\n}\n"),
    "m.proto:5:3 duplicate id 1 in Type M",
  ],
  [
    "a message defined twice",
    main("message M {}\nmessage M {}\n"),
    "m.proto:4:1 duplicate name `M` in Namespace .a",
  ],
  [
    "a reserved number",
    main("message M {\n  reserved 4;\n  string x = 4;\n}\n"),
    "m.proto:5:3 id 4 is reserved in Type M",
  ],
  [
    "a group in a oneof",
    {
      "m.proto":
        'syntax = "proto2";\nmessage M {\n  oneof o { group G = 1 {} }\n}\n',
    },
    "m.proto:3:3 field must be a Field",
  ],
  [
    "a type that does not exist",
    main("message Item {}\nmessage M { Itm i = 1; }\n"),
    "m.proto:4:13 there is no message or enum `Itm` = did you mean `Item`?",
  ],
  [
    "an error in an imported file",
    {
      "m.proto": 'syntax = "proto3";\nimport "n.proto";\n',
      "n.proto": 'syntax = "proto3";\nmessage {}\n',
    },
    "n.proto:2:1 illegal type name `{`",
  ],
];

for (const [rule, files, expected] of ERRORS) {
  Deno.test(`readSchema() finds ${rule}`, async () => {
    const { schema, errors } = await schemaOf(files);
    strictEqual(schema, undefined);
    deepStrictEqual(
      errors.map(({ at, message, hint }) =>
        `${at?.file}:${at?.range?.line}:${at?.range?.column} ${message}${
          hint?.startsWith("did") ? ` = ${hint}` : ""
        }`
      ),
      [expected],
    );
  });
}

Deno.test("readSchema() finds imports in import_paths first, then beside the file", async () => {
  const money = (name: string) =>
    `syntax = "proto3";\npackage a;\nmessage ${name} {}\n`;
  const files = {
    "protos/m.proto":
      'syntax = "proto3";\npackage a;\nimport "c/money.proto";\nimport "own.proto";\nmessage M { Vendored v = 1; Own o = 2; }\n',
    "vendor/c/money.proto": money("Vendored"),
    "protos/c/money.proto": money("Shadowed"),
    "protos/own.proto": money("Own"),
  };
  const { schema, errors } = await schemaOf(files, ["vendor"]);
  deepStrictEqual(errors, []);
  ok(schema);
});

Deno.test("readSchema() brings the well-known types and google.api along", async () => {
  const { schema, errors } = await schemaOf(main(`
import "google/protobuf/any.proto";
import "google/protobuf/descriptor.proto";
import "google/api/annotations.proto";
message M { google.protobuf.Any any = 1; }
service S {
  rpc Get(M) returns (M) { option (google.api.http) = { get: "/v1" }; }
}
`));
  deepStrictEqual(errors, []);
  deepStrictEqual([...schema!.services.keys()], ["a.S"]);
});

Deno.test("readSchema() knows api.proto, type.proto and source_context.proto, in any order", async () => {
  const names = ["api", "type", "source_context", "descriptor"];
  for (const order of [names, names.toReversed()]) {
    const { schema, errors } = await schemaOf({
      "a.proto": `syntax = "proto3";
package a;
${
        order.map((name) => `import "google/protobuf/${name}.proto";\n`).join(
          "",
        )
      }
message All {
  google.protobuf.Api api = 1;
  google.protobuf.Type type = 2;
  google.protobuf.SourceContext context = 3;
  google.protobuf.Syntax syntax = 4;
}`,
    });
    deepStrictEqual(errors, []);
    const api = schema!.root.lookupType("google.protobuf.Api");
    deepStrictEqual(
      api.fieldsArray.map(({ resolvedType }) => resolvedType?.fullName ?? ""),
      [
        "",
        ".google.protobuf.Method",
        ".google.protobuf.Option",
        "",
        ".google.protobuf.SourceContext",
        ".google.protobuf.Mixin",
        ".google.protobuf.Syntax",
      ],
    );
  }
});

Deno.test("readSchema() reads files that import each other", async () => {
  const { schema } = await schemaOf({
    "m.proto":
      'syntax = "proto3";\nimport "n.proto";\nmessage M { N n = 1; }\n',
    "n.proto":
      'syntax = "proto3";\nimport "m.proto";\nmessage N { M m = 1; }\n',
  });
  ok(schema);
});

Deno.test("readSchema() says that a missing main file is missing, without a location", async () => {
  const { errors } = await schemaOf({});
  deepStrictEqual(errors.map(({ code, at }) => [code, at]), [
    ["proto-file", undefined],
  ]);
});
