import { ok } from "node:assert/strict";
import { compileFlow, type InputFile } from "../../../lib/compile.ts";
import { parseTarget } from "../../../lib/parse/target.ts";
import { Reader } from "../../../lib/source/reader.ts";

const ROOT = new URL("../../../", import.meta.url);

/** Pages with YAML examples: every page there is, and the README. */
const PAGES = [
  "README.md",
  ...[...Deno.readDirSync(new URL("docs/", ROOT))]
    .filter((each) => each.name.endsWith(".md"))
    .map((each) => `docs/${each.name}`).sort(),
];

/** The YAML examples of a page; YAML of other tools is marked `yml`. */
function examples(page: string): string[] {
  const text = Deno.readTextFileSync(new URL(page, ROOT));
  return [...text.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, yaml]) => yaml!);
}

/** A whole flow around an example that is only a part of one. */
function asFlow(yaml: string): string {
  if (/^flow:/m.test(yaml)) return yaml;
  if (!yaml.startsWith("- id:")) {
    return `flow: example\n${yaml}steps:\n  - id: step\n    call: GET /\n`;
  }
  return `flow: example\ndata: users.csv\nsteps:\n${yaml.replace(/^/gm, "  ")}`;
}

function checkTarget(yaml: string): void {
  const reader = new Reader("target.yaml");
  ok(parseTarget(yaml, reader), JSON.stringify(reader.diagnostics));
}

async function checkFlow(yaml: string, page: string): Promise<void> {
  const input: InputFile = {
    file: page,
    bytes: new TextEncoder().encode(asFlow(yaml)),
    directory: ".",
    form: "yaml",
  };
  ok(await compileFlow(input));
}

for (const page of PAGES) {
  examples(page).forEach((yaml, index) => {
    const [first = ""] = yaml.split("\n");
    Deno.test(`docs: example ${index + 1} of ${page} is valid (${first})`, async () => {
      if (/^base_urls:/m.test(yaml)) checkTarget(yaml);
      else await checkFlow(yaml, page);
    });
  });
}

Deno.test("docs: the pages with examples are found", () => {
  const found = PAGES.filter((page) => examples(page).length > 0);
  for (
    const page of [
      "README.md",
      "docs/flow-file.md",
      "docs/target-file.md",
      "docs/tutorial.md",
    ]
  ) {
    ok(found.includes(page), page);
  }
});

Deno.test("docs: every link between pages leads to a page, and to a heading of it", () => {
  const broken = PAGES.flatMap((page) => {
    const base = new URL(page, ROOT);
    const text = Deno.readTextFileSync(base);
    return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!)
      .filter((link) => !/^[a-z]+:/.test(link) && !leads(new URL(link, base)))
      .map((link) => `${page}: ${link}`);
  });
  ok(broken.length === 0, broken.join("\n"));
});

function leads(url: URL): boolean {
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
