import { BenchError } from "../../base/errors/bench_error.ts";
import { spend, startWork } from "../../base/values/work.ts";

/** The part of the libraries that is used. */
interface Library {
  readonly css: typeof import("css-select");
  readonly html: typeof import("htmlparser2");
}

/** An element as far as a selector asks for it. */
interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly parent: Element | null;
  readonly children: Element[];
  /** Where its content begins and ends in the page. */
  readonly start: number;
  end: number;
}

/** Finds what the first element that a selector matches says; made ready once. */
type Selector = (page: string) => string | undefined;

/**
 * Compiles a CSS selector. The libraries are loaded when a flow first needs them.
 *
 * @param attribute what is taken of the element; its text when absent, without
 *   white space at the ends
 * @throws {BenchError} when it is not a selector
 */
export async function compileSelector(
  css: string,
  attribute?: string,
): Promise<Selector> {
  const [select, html] = await Promise.all([
    import("css-select"),
    import("htmlparser2"),
  ]);
  const library: Library = { css: select, html };
  const page: Page = { text: "", roots: [] };
  const test = compiled(css, library, page);
  // What has no pseudo-class is decided by what comes before the element.
  const early = css.includes(":")
    ? undefined
    : attribute === undefined
    ? "with its content"
    : "alone";
  return (text) => {
    startWork();
    page.text = text;
    try {
      const found = elementIn(page, library, test, early);
      return attribute === undefined
        ? found && elementText(found, page, library).trim()
        : found?.attributes[attribute.toLowerCase()];
    } finally {
      page.text = "";
      page.roots = [];
    }
  };
}

/** The page that is looked at. */
interface Page {
  text: string;
  /** Its outermost elements. */
  roots: Element[];
}

/** The cost of one look at an element of a page, beside looks at JSON. */
const STEPS_AN_ELEMENT = 20;
/** Open elements that are looked through in the time of one step. */
const OPEN_A_STEP = 50;
const CHARACTERS_A_STEP = 10;
/** Characters that are read before it is asked whether that is enough. */
const CHUNK = 4_096;

/**
 * Reads a page as browsers do, whatever is wrong with it. Elements inside of elements
 * cost as many looks as they are deep, and are paid for by the chunk.
 *
 * @param early the first that matches at its opening tag is the one, and is read
 *   no further than it is needed
 * @throws {WorkLimitError}
 */
function elementIn(
  { text, roots }: Page,
  { html }: Library,
  test: (element: Element) => boolean,
  early: "alone" | "with its content" | undefined,
): Element | undefined {
  const all: Element[] = [];
  const open: Element[] = [];
  let found: Element | undefined;
  let done = false;
  const parser = new html.Parser({
    onopentag(name, attributes) {
      if (done) return;
      spend(STEPS_AN_ELEMENT);
      const parent = open.at(-1) ?? null;
      const start = parser.endIndex + 1;
      const end = text.length;
      const element = { name, attributes, parent, children: [], start, end };
      (parent?.children ?? roots).push(element);
      open.push(element);
      if (!early) all.push(element);
      else if (!found && test(element)) found = element;
      done = found !== undefined && early === "alone";
    },
    onclosetag() {
      if (done) return;
      // A tag that the page ends in was not opened.
      const element = open.pop();
      if (!element) return;
      element.end = Math.max(element.start, parser.startIndex);
      done = element === found;
    },
  });
  for (let at = 0; at < text.length && !done; at += CHUNK) {
    const chunk = text.slice(at, at + CHUNK);
    spend(tagsIn(chunk) * open.length / OPEN_A_STEP);
    parser.write(chunk);
  }
  if (done) return found;
  parser.end();
  return early ? found : all.find(test);
}

function tagsIn(chunk: string): number {
  let count = 0;
  for (let at = chunk.indexOf("<"); at >= 0; at = chunk.indexOf("<", at + 1)) {
    count++;
  }
  return count;
}

/** All text in an element. */
function elementText(
  { name, start, end }: Element,
  page: Page,
  { html }: Library,
): string {
  spend((end - start) / CHARACTERS_A_STEP);
  let text = "";
  const parser = new html.Parser({ ontext: (each) => text += each });
  // The tag says what is markup in it: nothing in a script.
  parser.end(`<${name}>${page.text.slice(start, end)}`);
  return text;
}

/** @throws {BenchError} */
function compiled(
  css: string,
  library: Library,
  page: Page,
): (element: Element) => boolean {
  try {
    return library.css.compile<Element, Element>(css, {
      adapter: {
        isTag: (node): node is Element => node !== null,
        getAttributeValue(element, name) {
          spend(1);
          return Object.hasOwn(element.attributes, name)
            ? element.attributes[name]
            : undefined;
        },
        getChildren(element) {
          spend(1 + element.children.length);
          return element.children;
        },
        getName(element) {
          spend(1);
          return element.name;
        },
        getParent(element) {
          spend(1);
          return element.parent;
        },
        getSiblings(element) {
          const all = element.parent?.children ?? page.roots;
          spend(all.length);
          return all;
        },
        getText: (element) => elementText(element, page, library),
        hasAttrib: (element, name) => Object.hasOwn(element.attributes, name),
        removeSubsets: (nodes) => nodes,
      },
      // A page is another one for each response.
      cacheResults: false,
    });
  } catch (error) {
    throw new BenchError(
      (error as Error).message.replace(" by css-select", ""),
    );
  }
}
