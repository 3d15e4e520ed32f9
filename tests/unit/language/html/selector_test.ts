import { equal, rejects, throws } from "node:assert/strict";
import { WorkLimitError } from "../../../../lib/base/values/work.ts";
import { compileSelector } from "../../../../lib/language/html/selector.ts";

const PAGE = `<!DOCTYPE html><html><head><title> Shop &amp; more
</title><script id=data>{"a": "<b>"}</script></head>
<BODY><form><input type=hidden NAME=csrf value="a&quot;b">
<p>hello <b>you</b><p>two
<table><tr><td>1<td>2</table>
<ul><li>one<li class="last z">zed</ul><a href=/x>x</a><a>no href</a>`;

Deno.test("the first element that a selector matches, of markup as it is found", async () => {
  const cases: [css: string, attribute: string | undefined, value: unknown][] =
    [
      ["input[name=csrf]", "value", 'a"b'],
      ["form > input", "VALUE", 'a"b'],
      ["title", undefined, "Shop & more"],
      ["#data", undefined, '{"a": "<b>"}'],
      ["p", undefined, "hello you"],
      ["p + p", undefined, "two"],
      ["td:nth-child(2)", undefined, "2"],
      ["li:last-child", undefined, "zed"],
      ["li.z", "class", "last z"],
      ["ul:has(li.z) li", undefined, "one"],
      ["li:contains(ze)", undefined, "zed"],
      ["a", "href", "/x"],
      ["a:last-of-type", "href", undefined],
      ["nav", undefined, undefined],
    ];
  for (const [css, attribute, value] of cases) {
    const select = await compileSelector(css, attribute);
    // A page leaves nothing behind for the next.
    equal(select("<p>other"), css === "p" ? "other" : undefined, css);
    equal(select(PAGE), value, css);
  }
});

Deno.test("a selector that is none is refused", async () => {
  for (const css of ["input[name=", "p::before", "p:nosuch", "svg|a"]) {
    await rejects(compileSelector(css), { name: "BenchError" }, css);
  }
});

Deno.test("a page that is deep, large or broken takes bounded work", async () => {
  const read = async (css: string, page: string, attribute?: string) =>
    (await compileSelector(css, attribute))(page);
  const open = "<div>".repeat(100_000);
  equal(await read("input", `<input value=x>${open}`, "value"), "x");
  const deep = `${"<div>".repeat(20_000)}<b>in</b>`;
  equal(await read("b", deep), "in");
  const mebibyte = 2 ** 20;
  const rows = "<tr><td>a cell with some text</td></tr>\n".repeat(400_000);
  equal(await read("b", `${rows}<b>end</b>`), "end");
  equal(await read("b", "<".repeat(16 * mebibyte)), undefined);
  equal(await read("b", `<a ${"x=1 ".repeat(4 * mebibyte)}`), undefined);
  const text = `<p>${"x".repeat(16 * mebibyte)}<b>end`;
  equal(await read("b", text), "end");
  const stray = `${"<div>".repeat(1_000)}${"</x>".repeat(4_000_000)}`;
  for (const page of [open + open, "<a></a>".repeat(2_000_000), stray]) {
    const select = await compileSelector("b");
    throws(() => select(page), WorkLimitError);
  }
});
