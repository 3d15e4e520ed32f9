import { deepStrictEqual, ok } from "node:assert/strict";
import { ROOT } from "../support/bench.ts";

const FOLDER = "docs/decisions";
const SECTIONS = ["Problem", "Choice", "Refused", "Cost if wrong"];
const NAME = /^(\d{3})-[a-z0-9]+(-[a-z0-9]+)*\.md$/;
const LINK = /decisions\/(\d{3}[\w-]*(?:\.md)?)|\]\((\d{3}-[\w.-]+)\)/g;
const SOURCES = ["agent", "cli", "docs", "examples", "lib", "sdk", "tests"]
  .concat("tools", "viewer", ".github");
const PAGES = ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md"]
  .concat("README.md", "Dockerfile", "deno.json");
const READ = /\.(tsx?|js|md|py|ya?ml|sh|css|json)$/;

const FILES = [...Deno.readDirSync(ROOT + FOLDER)].map(({ name }) => name)
  .sort();

Deno.test("decisions: the name of each file is a number and words, and no number is used twice", () => {
  deepStrictEqual(FILES.filter((name) => !NAME.test(name)), []);
  const numbers = FILES.map(numberOf);
  deepStrictEqual(numbers, [...new Set(numbers)]);
});

Deno.test("decisions: the heading is the number of the file and a title", () => {
  const wrong = FILES.filter((name) => {
    const [heading, below] = textOf(name).split("\n");
    return !new RegExp(`^# ${numberOf(name)}: \\S`).test(heading!) ||
      /[.\s]$/.test(heading!) || below !== "";
  });
  deepStrictEqual(wrong, []);
});

Deno.test("decisions: the problem comes first, then choice, refused, cost if wrong", () => {
  deepStrictEqual(FILES.filter((name) => !isInOrder(textOf(name))), []);
});

Deno.test("decisions: none has more than 300 words", () => {
  const words = (name: string) => textOf(name).trim().split(/\s+/).length;
  deepStrictEqual(
    FILES.filter((name) => words(name) > 300)
      .map((name) => `${name}: ${words(name)} words`),
    [],
  );
});

Deno.test("decisions: every link to one, in pages and comments, leads to a file", () => {
  const links = [...PAGES, ...SOURCES.flatMap(filesBelow)].flatMap((path) =>
    [...Deno.readTextFileSync(ROOT + path).matchAll(LINK)]
      .filter((link) => link[1] || path.startsWith(FOLDER))
      .map((link) => ({ path, name: (link[1] ?? link[2])! }))
  );
  ok(links.length > 5);
  deepStrictEqual(links.filter(({ name }) => !FILES.includes(name)), []);
});

function numberOf(name: string): string {
  return name.slice(0, 3);
}

function textOf(name: string): string {
  return Deno.readTextFileSync(`${ROOT}${FOLDER}/${name}`);
}

/** Sections of their own subject may stand between those that every decision has. */
function isInOrder(text: string): boolean {
  const topics = [...text.matchAll(/^\*\*(.+?)\*\*/gm)].map(([, topic]) =>
    topic!
  );
  const found = topics.map((topic) => SECTIONS.indexOf(topic.slice(0, -1)))
    .filter((at) => at >= 0);
  return topics[0] === "Problem." && found[1] === 1 &&
    found.every((at, index) => index === 0 || at > found[index - 1]!) &&
    topics.every((topic) => topic.endsWith("."));
}

function filesBelow(folder: string): string[] {
  let entries: Deno.DirEntry[];
  try {
    entries = [...Deno.readDirSync(ROOT + folder)];
  } catch {
    return [];
  }
  return entries.flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    if (isDirectory) {
      return ["node_modules", "dist", "vectors"].includes(name)
        ? []
        : filesBelow(path);
    }
    return READ.test(name) ? [path] : [];
  });
}
