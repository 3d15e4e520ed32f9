import { match, ok, strictEqual, throws } from "node:assert/strict";
import { join } from "node:path";
import { importCurl } from "../../../../cli/import/curl/import_curl.ts";
import { flowYaml } from "../../../../cli/import/draft/flow_yaml.ts";
import { readHar } from "../../../../cli/import/har/recording.ts";
import { importHar } from "../../../../cli/import/har/import_har.ts";
import { importOpenapi } from "../../../../cli/import/openapi/import_openapi.ts";
import { readOpenapi } from "../../../../lib/openapi/description.ts";
import { Refused } from "../../../../lib/base/errors/bench_error.ts";
import { workspace } from "../../../support/bench.ts";

const SECRET = "root:x:0:0:geheim";

/** What is written of a description whose one body has this media type. */
function written(media: object, more: object = {}): string {
  const paths = {
    "/a": {
      post: { requestBody: { content: { "application/json": media } } },
    },
  };
  const description = { openapi: "3.1.0", paths, ...more };
  using folder = workspace({
    "here/api.json": JSON.stringify(description),
    "outside.yaml": `type: object\nexample: ${SECRET}\n`,
    "here/data.yaml": `${SECRET}\n`,
    "here/schema.yaml":
      "type: object\nrequired: [inside]\nproperties: { inside: { type: string, example: yes-it-is } }\n",
  });
  Deno.symlinkSync("../outside.yaml", join(folder.path, "here/link.yaml"));
  const document = readOpenapi(join(folder.path, "here/api.json"));
  return importOpenapi(document, {}).map(flowYaml).join();
}

function refused(what: () => unknown, said: RegExp): void {
  throws(what, (error: unknown) => {
    ok(error instanceof Refused, String(error));
    strictEqual(error.exitCode, 2);
    match(error.message, said);
    return true;
  });
}

Deno.test("import openapi: a reference stays in the folder of the description", () => {
  const outside = [
    "../outside.yaml",
    "%2e%2e/outside.yaml",
    "link.yaml",
    "/etc/passwd",
    "%2Fetc%2Fpasswd",
    "/proc/self/environ",
  ];
  for (const $ref of outside) {
    refused(
      () => written({ schema: { $ref } }),
      /the reference `.*` leads out of the folder of the description$/,
    );
  }
  for (const $ref of ["file:///etc/passwd", "https://h.example/a", "//h/a"]) {
    refused(
      () => written({ schema: { $ref } }),
      /leads to another place, and is not followed/,
    );
  }
  match(written({ schema: { $ref: "schema.yaml" } }), /inside: yes-it-is\n/);
  match(written({ schema: { $ref: "./schema.yaml#" } }), /inside: yes-it-is\n/);
});

Deno.test("import openapi: no reference is followed in data", () => {
  for (
    const $ref of ["/etc/passwd", "data.yaml", "../outside.yaml", "schema.yaml"]
  ) {
    const data = { $ref };
    const type = "object";
    const medias = [
      { example: data },
      { example: { deep: [data] } },
      { examples: { one: { value: data } } },
      { examples: { one: data } },
      ...["example", "default", "const"].map((key) => ({
        schema: {
          type,
          required: ["a"],
          properties: { a: { [key]: data } },
        },
      })),
      {
        schema: { type, required: ["a"], properties: { a: { enum: [data] } } },
      },
      { schema: { type, examples: [data] } },
    ];
    for (const media of medias) {
      const text = written(media);
      ok(!text.includes("geheim") && !text.includes("yes-it-is"), text);
      ok(!/root:|daemon/.test(text), text);
    }
  }
});

Deno.test("import openapi: what is too much is refused by name", () => {
  const bomb = ["l0: &l0 [x, x, x, x, x, x, x, x, x]"];
  for (let level = 1; level <= 12; level++) {
    const list = Array(9).fill(`*l${level - 1}`).join(", ");
    bomb.push(`l${level}: &l${level} [${list}]`);
  }
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  const openapi = "openapi: 3.0.0\npaths: {}\n";
  for (
    const [text, said] of [
      [`${openapi}${bomb.join("\n")}\n`, /aliases expand to too many values/],
      [`${openapi}x: ${deep}\n`, /nested too deep|levels deep/],
      [`{"openapi": "3.0.0", "x": ${deep}}`, /levels deep/],
      [`${openapi}x: &a [*a]\n`, /levels deep|Unresolved alias|too deep/],
    ] as const
  ) {
    using folder = workspace({ "a.yaml": text });
    refused(() => readOpenapi(join(folder.path, "a.yaml")), said);
  }
  const schemas: Record<string, object> = {};
  for (let level = 0; level < 8; level++) {
    const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
    const next = { $ref: `#/components/schemas/s${level + 1}` };
    schemas[`s${level}`] = {
      type: "object",
      required: names,
      properties: Object.fromEntries(names.map((each) => [each, next])),
    };
    schemas[`a${level}`] = {
      allOf: Array(32).fill({ $ref: `#/components/schemas/a${level + 1}` }),
    };
  }
  for (
    const [schema, why] of [
      [{ $ref: "#/components/schemas/s0" }, "it leads to more than"],
      [{ $ref: "#/components/schemas/a0" }, "it leads to more than"],
      [
        { type: "array", minItems: 1e9, items: { type: "string" } },
        "`minItems: 1000000000`$",
      ],
      [{
        type: "array",
        minItems: 1000,
        items: { type: "array", minItems: 1000, items: { type: "string" } },
      }, "`minItems: 1000`$"],
      [{ type: "string", minLength: 1e9 }, "`minLength: 1000000000`$"],
    ] as const
  ) {
    refused(
      () => written({ schema }, { components: { schemas } }),
      new RegExp(
        `^\`[A-Z]+ /\\S*\`: a schema is too large for an example: ${why}`,
      ),
    );
  }
});

Deno.test("import: a long body is searched for credentials in one pass", () => {
  const text = "a-".repeat(500_000);
  const { steps: [step] } = importCurl(
    `curl http://h/ -H 'Content-Type: text/plain' -d '${text} password="x y z"'`,
    { readText: () => "" },
  );
  match(step!.text!.slice(-40), /^[a-]+ password="\{\{ env\.PASSWORD \}\}"$/);
});

Deno.test("import: bodies and journeys beyond a flow are refused by name", () => {
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  refused(
    () => importCurl(`curl http://h/ --json '${deep}'`, { readText: () => "" }),
    /^line 1: a body has lists and objects more than 60 levels deep$/,
  );
  refused(
    () =>
      importCurl(`curl http://h/${"a".repeat(20_000)}`, { readText: () => "" }),
    /^line 1: a URL has \d+ characters; at most 16384 are read$/,
  );
  const entry = (text: string) => ({
    request: { method: "GET", url: "http://h/a" },
    response: { status: 200, content: { mimeType: "application/json", text } },
  });
  const recording = (entries: object[]) =>
    readHar(JSON.stringify({ log: { entries } }), "a.har");
  importHar(recording([entry(deep)]), undefined, {});
  refused(
    () => importHar(recording(Array(1001).fill(entry("1"))), undefined, {}),
    /^the journey has 1001 requests, but a flow has at most 1000 steps$/,
  );
});
