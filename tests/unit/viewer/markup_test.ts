import { equal } from "node:assert/strict";
import fc from "fast-check";
import { html } from "../../../viewer/markup.ts";

Deno.test("html: what is put in is text, what html made is markup", () => {
  const cases: [string, string, string][] = [
    ["a tag is text", "<script>", "&lt;script&gt;"],
    ["quotes cannot end an attribute", `"'`, "&quot;&#39;"],
    ["an entity is not one", "&lt;", "&amp;lt;"],
    ["a bidirectional control shows", "a\u202eb", "a\\u{202e}b"],
    ["an escape sequence shows", "\u001b[31m", "\\u{1b}[31m"],
    ["line breaks and tabs stay", "a\n\tb", "a\n\tb"],
    ["half a surrogate pair shows", "\ud800", "\\u{d800}"],
  ];
  for (const [sentence, text, wanted] of cases) {
    equal(html`${text}`.text, wanted, sentence);
  }
  equal(html`<p>${html`<b>${"<"}</b>`}</p>`.text, "<p><b>&lt;</b></p>");
});

Deno.test("html: nothing, false and lists", () => {
  equal(
    html`${undefined}${null}${false}${0}${["a", html`<br>`]}`.text,
    "0a<br>",
  );
});

Deno.test("html: no text can open a tag or end an attribute", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    const made = html`${text}`.text;
    equal(/[<>"']/.test(made), false);
    equal(/&(?!(?:amp|lt|gt|quot|#39);)/.test(made), false);
  }));
});
