import { deepStrictEqual } from "node:assert/strict";
import { sources, testSources, textOf } from "./program.ts";

/** Words that have another one in this program, which is to be used. */
const INSTEAD: Readonly<Record<string, string>> = {
  answer: "response",
  asking: "request",
  crew: "worker pool",
  deed: "attempt",
  demand: "require, expect",
  door: "connection",
  drawer: "row picker",
  hire: "start a worker",
  ledger: "store, run context",
  mistake: "error",
  nobody: "name who or what",
  overlay: "agent samples",
  peer: "server",
  reply: "response",
  replies: "responses",
  rig: "harness",
  scene: "fixture",
  shelf: "store",
  sighting: "failure group",
  tell: "report, print, show",
  told: "reported, shown",
  trouble: "failure",
  unhindered: "without a limit",
  wanted: "expected",
  whoever: "name who",
};

/** Where such a word is on purpose. */
const ALLOWED = [
  // The demo target's protocol; flows of others go by it.
  /type: "answer", id: /,
  // A name as good as any other.
  /user: "nobody"/,
  /"flow\/ten-mistakes\//,
];

const WORDS = Object.keys(INSTEAD).join("|");
const PLAIN = new RegExp(`(?<![a-z])(?:${WORDS})(?:s|ed)?(?![a-z])`, "gi");

/** Each word of a line, that of a name such as `replyOf` and `keepsReply` too. */
function wordsOf(line: string): string[] {
  const spaced = line.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, " ");
  return [...spaced.matchAll(PLAIN)].map(([word]) => word);
}

Deno.test("one thing has one word, in names, messages and comments", () => {
  const own = "tests/architecture/words_test.ts";
  const paths = [...sources(), ...testSources().filter((each) => each !== own)];
  const found = paths.flatMap((path) =>
    textOf(path).split("\n").flatMap((line, index) =>
      ALLOWED.some((each) => each.test(line))
        ? []
        : wordsOf(line).map((word) => `${path}:${index + 1} ${word}`)
    )
  );
  deepStrictEqual(found, []);
});

Deno.test("a doc comment says the thing, and does not begin with a riddle", () => {
  const found = sources()
    .flatMap((path) =>
      textOf(path).split("\n").flatMap((line, index) =>
        /^\s*(?:\/\*\*|\*) What\b/.test(line) ? [`${path}:${index + 1}`] : []
      )
    );
  deepStrictEqual(found, []);
});

Deno.test("a word is found inside of a name", () => {
  deepStrictEqual(
    wordsOf("const keepsReply = this.#told(answersOf, REPLIES, foretell);"),
    ["Reply", "told", "answers", "REPLIES"],
  );
});
