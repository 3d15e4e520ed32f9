import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type Cell,
  compileText,
  type Names,
  normaliseTemplate,
  parseTemplate,
  ResolutionError,
  type Scope,
  writeTemplate,
} from "../../../../lib/language/expressions/template.ts";
import { seededRandom } from "../../../../lib/base/time/random.ts";
import { templateErrors } from "../../../../lib/language/fields/templates.ts";
import { compilePayload } from "../../../../lib/language/expressions/payload.ts";
import { canonical } from "../../../../lib/base/values/canonical.ts";
import type { JsonValue } from "../../../../lib/base/values/json.ts";

const NAMES: Names = {
  variables: new Map([
    ["id", 0],
    ["item", 1],
    ["unset", 2],
    ["huge", 3],
    ["half", 4],
    ["list", 5],
    ["keys", 6],
  ]),
  pools: new Map([["user", 0]]),
  env: new Map([["KEY", 'se"cret']]),
};

const ROW: ReadonlyMap<string, Cell> = new Map([
  ["name", { text: "Ada" }],
  ["age", { text: "36" }],
  ["first name", { text: "Ada L." }],
  [" b", { text: "2" }],
  ["it's", { text: "3" }],
  ["a.b", { text: "4" }],
  ["tags", { text: '["a","b"]', nested: true }],
]);

const SCOPE: Scope = {
  variables: [
    42,
    { sku: "x", count: 2, none: null, "a.b": { "c d": 7 } },
    undefined,
    // As JSON.parse reads 1e400.
    Infinity,
    { text: "\ud800" },
    [{ z: [1, 2] }, 3],
    { "-1": 4, "a[0]": 5 },
  ],
  rows: [ROW],
};

Deno.test("a template in text is the value's text", () => {
  const table = [
    ["plain", "plain"],
    ["{{ id }}", "42"],
    ["/a/{{id}}/b", "/a/42/b"],
    ["{{ item.sku }}-{{   item.count   }}", "x-2"],
    ["{{ item }}", '{"a.b":{"c d":7},"count":2,"none":null,"sku":"x"}'],
    ["{{ user.name }}", "Ada"],
    ["{{ user.tags }}", '["a","b"]'],
    ["{{ env.KEY }}!", 'se"cret!'],
    ["{{ user['first name'] }}", "Ada L."],
    ['{{user["first name"]}}', "Ada L."],
    ["{{ user[' b'] }}", "2"],
    [`{{ user["it's"] }}`, "3"],
    ["{{ user.a.b }}{{ user['a.b'] }}", "44"],
    ["{{ item['a.b']['c d'] }}", "7"],
    ["{{ item['count'] }}", "2"],
    ["{{ list[0].z[1] }}{{ list.0.z.1 }}", "22"],
    ["{{ list[-1] }}{{ list.-1 }}{{ list[-2].z[-2] }}", "331"],
    ["{{ keys['-1'] }}{{ keys.-1 }}{{ keys['a[0]'] }}", "445"],
  ] as const;
  for (const [text, expected] of table) {
    assert.equal(compileText(text, NAMES).render(SCOPE), expected, text);
  }
});

Deno.test("a leaf that is one template keeps its JSON type; in a longer string it is text", () => {
  const table: [payload: JsonValue, expected: string][] = [
    ["{{ id }}", "42"],
    [" {{ id }}", '" 42"'],
    ["n{{ id }}", '"n42"'],
    ["{{ item.sku }}", '"x"'],
    ["{{ item }}", '{"a.b":{"c d":7},"count":2,"none":null,"sku":"x"}'],
    ["{{ item.none }}", "null"],
    ["{{ user.age }}", '"36"'],
    ["{{ user.tags }}", '["a","b"]'],
    ["t={{ user.tags }}", '"t=[\\"a\\",\\"b\\"]"'],
    ["{{ env.KEY }}", '"se\\"cret"'],
    ["<{{ env.KEY }}>", '"<se\\"cret>"'],
    [{ b: ["{{ id }}", 1], a: "{{ user.name }}" }, '{"a":"Ada","b":[42,1]}'],
  ];
  for (const [payload, expected] of table) {
    const rendered = compilePayload(payload, NAMES).render(SCOPE);
    assert.equal(rendered, expected, JSON.stringify(payload));
  }
});

Deno.test("a template without a value says which, and why", () => {
  const dry = { ...SCOPE, rows: [undefined] };
  const table: [text: string, scope: Scope, message: RegExp][] = [
    ["{{ unset }}", SCOPE, /^\{\{ unset \}\} has no value/],
    ["{{ list[2] }}", SCOPE, /^\{\{ list\[2\] \}\} has no value/],
    ["{{ list[0].y }}", SCOPE, /^\{\{ list\[0\]\.y \}\} has no value/],
    ["{{ list[-3] }}", SCOPE, /^\{\{ list\[-3\] \}\} has no value/],
    ["{{ list.-0 }}", SCOPE, /^\{\{ list\.-0 \}\} has no value/],
    ["{{ item.gone }}", SCOPE, /^\{\{ item\.gone \}\} has no value/],
    ["{{ huge }}", SCOPE, /^\{\{ huge \}\} holds a number too large for JSON/],
    ["a {{ huge }}", SCOPE, /^\{\{ huge \}\} holds a number too large/],
    ["{{ half }}", SCOPE, /^\{\{ half \}\} holds half a surrogate pair/],
    ["{{ half.text }}!", SCOPE, /^\{\{ half\.text \}\} holds half a surrogate/],
    ["{{ user.name }}", dry, /pool is exhausted/],
    ["{{ user.shoe }}", SCOPE, /column/],
  ];
  for (const [text, scope, message] of table) {
    for (const compile of [compileText, compilePayload]) {
      assert.throws(
        () => compile(text, NAMES).render(scope),
        (error) =>
          error instanceof ResolutionError && message.test(error.message),
        text,
      );
    }
  }
});

Deno.test("a value that would be longer than 16 MiB as JSON cannot stand in a template", () => {
  // Values of a response that hold each other, as `$..a` finds them.
  const [id] = Array.from({ length: 20 }).reduce<JsonValue[]>(
    ([inside]) => [[inside!, inside!]],
    ["x".repeat(20)],
  );
  const scope: Scope = { variables: [id], rows: [] };
  assert.throws(() => compileText("a {{ id }}", NAMES).render(scope), {
    name: "ResolutionError",
    message: "{{ id }} is longer than 16 MiB as JSON",
  });
});

Deno.test("parseTemplate refuses what is not closed, or no reference", () => {
  for (
    const text of [
      "{{ id",
      "{{ }}",
      "{{ 1a }}",
      "{{ a b }}",
      "{{ a. }}",
      "{{{ a }}}",
      "{{ a[] }}",
      "{{ a[''] }}",
      "{{ a['b] }}",
      "{{ a['b'c] }}",
      "{{ ['a'] }}",
      "{{ a[00] }}",
      "{{ a[*] }}",
      "{{ a.b[*] }}",
      "{{ a.b[c] }}",
      "{{ a.b() }}",
      "{{ a.b|upper }}",
    ]
  ) {
    assert.throws(() => parseTemplate(text), SyntaxError, text);
  }
});

Deno.test("normaliseTemplate is settled after once", () => {
  const reference = fc.tuple(
    fc.constantFrom("", " ", "\t ", "\n"),
    fc.stringMatching(/^[a-z_][a-z0-9_-]{0,4}(\.[a-z0-9]{1,3})?$/),
  ).map(([space, name]) => `{{${space}${name}${space}}}`);
  const text = fc.array(
    fc.oneof(reference, fc.string().map((each) => each.replaceAll("{", ""))),
  ).map((parts) => parts.join(""));
  fc.assert(fc.property(text, (text) => {
    const once = normaliseTemplate(text);
    assert.equal(normaliseTemplate(once), once);
  }));
});

Deno.test("a payload without templates is its canonical text, and constant", () => {
  const plain = fc.jsonValue({ noUnicodeString: true }).filter((value) =>
    !JSON.stringify(value).includes("{{")
  );
  fc.assert(fc.property(plain, (value) => {
    const text = canonical(value as JsonValue);
    assert.equal(compilePayload(value as JsonValue, NAMES).constant, text);
    assert.equal(canonical(JSON.parse(text)), text, "canonical text is stable");
  }));
});

Deno.test("templates: braces that are written as such are text, and one spelling says the same", () => {
  const random = seededRandom(7);
  const tokens = [
    ...["{", "{{", "}", "}}", "a", " ", "'", '"', "{{ x }}", "{{env.A}}"],
    ...["{{ '{{' }}", "{{'}}'}}", '{{ "{" }}', "{{ '}' }}"],
  ];
  let read = 0;
  for (let n = 0; n < 20_000; n++) {
    const text = Array.from(
      { length: Math.floor(random() * 7) },
      () => tokens[Math.floor(random() * tokens.length)],
    ).join("");
    if (templateErrors(text).length > 0) {
      assert.throws(() => parseTemplate(text), SyntaxError, text);
      continue;
    }
    read++;
    const parts = parseTemplate(text);
    assert.deepStrictEqual(parseTemplate(writeTemplate(parts)), parts, text);
    assert.equal(
      normaliseTemplate(normaliseTemplate(text)),
      normaliseTemplate(text),
    );
  }
  assert.ok(read > 5_000, `${read} templates`);
  const braces = "{{ '{{' }}a{{ \"}}\" }}{{'{'}}{{ x }}}";
  assert.deepStrictEqual(parseTemplate(braces), ["{{a}}{", {
    root: "x",
    path: [],
  }, "}"]);
  assert.equal(normaliseTemplate(braces), "{{ '{{' }}a}}{{ '{' }}{{ x }}}");
  assert.equal(normaliseTemplate("{{ '{' }}{{ '}' }} {{ '}}' }}"), "{} }}");
});
