import { deepStrictEqual, ok } from "node:assert/strict";
import { ROOT } from "../../support/bench.ts";
import { PAGES, pageText } from "../../support/docs/blocks.ts";

/** A path in backticks, up to a placeholder. */
const CHECKOUT_PATH =
  /`((?:agent|cli|docs|examples|lib|sdk|tests|tools|viewer)\/[\w./-]*)/g;

function isThere(path: string): boolean {
  try {
    return Deno.statSync(ROOT + path) !== undefined;
  } catch {
    return false;
  }
}

const ALL = [...PAGES, "ARCHITECTURE.md", "CONTRIBUTING.md"];

Deno.test("docs: every link leads to a page, and to a heading of it", () => {
  const links = ALL.flatMap((page) =>
    [...pageText(page).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link]) => ({ page, link: link! }))
      .filter(({ link }) => !/^[a-z]+:/.test(link))
  );
  ok(links.length > 50);
  deepStrictEqual(links.filter(({ page, link }) => !leads(page, link)), []);
});

Deno.test("docs: every file of the checkout that the contributors' pages and the decisions name is there", () => {
  const decisions = [...Deno.readDirSync(`${ROOT}docs/decisions`)]
    .map(({ name }) => `docs/decisions/${name}`);
  const missing = ["ARCHITECTURE.md", "CONTRIBUTING.md", ...decisions]
    .flatMap((page) =>
      [...pageText(page).matchAll(CHECKOUT_PATH)].flatMap(([, path]) =>
        isThere(path!) ? [] : [`${page}: ${path}`]
      )
    );
  deepStrictEqual(missing, []);
});

Deno.test("docs: every page is reached from the README", () => {
  const readme = pageText("README.md");
  const pages = PAGES.filter((page) => page.startsWith("docs/"));
  deepStrictEqual(pages.filter((page) => !readme.includes(`(${page})`)), []);
});

Deno.test("docs: examples/README.md names everything there is", () => {
  const text = pageText("examples/README.md");
  const there = [...Deno.readDirSync(`${ROOT}examples`)]
    .filter(({ name }) => name !== "README.md")
    .map(({ name, isDirectory }) => isDirectory ? `${name}/` : name);
  deepStrictEqual(there.filter((name) => !text.includes(`\`${name}`)), []);
});

function leads(page: string, link: string): boolean {
  const url = new URL(link, new URL(page, `file://${ROOT}`));
  const anchor = url.hash.slice(1);
  url.hash = "";
  try {
    if (Deno.statSync(url).isDirectory || anchor === "") return true;
  } catch {
    return false;
  }
  return [...Deno.readTextFileSync(url).matchAll(/^#+ (.+)$/gm)]
    .some(([, heading]) => anchorOf(heading!) === anchor);
}

/** As the pages' host makes it: lower case, without punctuation, dashes for spaces. */
function anchorOf(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}
