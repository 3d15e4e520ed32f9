import { equal } from "node:assert/strict";
import fc from "fast-check";
import type { Markup, Piece } from "../../../viewer/markup/jsx_runtime.ts";

Deno.test("markup: what is put in is text, what JSX made is markup", () => {
  const cases: [string, string, string][] = [
    ["a tag is text", "<script>", "&lt;script&gt;"],
    ["quotes cannot end an attribute", `"'`, "&quot;&#39;"],
    ["an entity is not one", "&lt;", "&amp;lt;"],
    ["a bidirectional control shows", "a\u202eb", "a\\u{202e}b"],
    ["an escape sequence shows", "\u001b[31m", "\\u{1b}[31m"],
    ["line breaks and tabs stay", "a\n\tb", "a\n\tb"],
    ["half a surrogate pair shows", "\ud800", "\\u{d800}"],
  ];
  for (const [sentence, text, expected] of cases) {
    equal((<>{text}</>).text, expected, sentence);
    equal((<p title={text}></p>).text, `<p title="${expected}"></p>`, sentence);
  }
  equal((<p>{<b>{"<"}</b>}</p>).text, "<p><b>&lt;</b></p>");
});

Deno.test("markup: nothing, false and lists", () => {
  equal(
    (<>{undefined}{null}{false}{0}{["a", <br />]}</>).text,
    "0a<br>",
  );
  equal(
    (<p class={undefined} id={null} title={false} hidden tabindex={0} />)
      .text.replaceAll(/ +/g, " "),
    '<p hidden tabindex="0"></p>',
  );
});

Deno.test("markup: a component gets its attributes and its content", () => {
  const Box = ({ title, children }: { title: string; children?: Piece }) => (
    <section title={title}>{children}</section>
  );
  const hostile: string = "<two>";
  const Empty = (_: { of: string }): Markup | undefined => undefined;
  equal(
    (
      <Box title="a & b">
        <p>one</p>
        {hostile}
        <Empty of="it" />
      </Box>
    ).text,
    '<section title="a &amp; b"><p>one</p>&lt;two&gt;</section>',
  );
});

Deno.test("markup: no text can open a tag or end an attribute", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    const made = (<>{text}</>).text;
    equal(/[<>"']/.test(made), false);
    equal(/&(?!(?:amp|lt|gt|quot|#39);)/.test(made), false);
  }));
});
