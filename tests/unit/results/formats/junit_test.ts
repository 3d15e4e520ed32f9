import { deepStrictEqual, equal, ok } from "node:assert/strict";
import { SaxesParser } from "saxes";
import {
  missingSuite,
  renderJunit,
  renderSuites,
} from "../../../../lib/results/formats/junit.ts";
import type { RunMeta } from "../../../../lib/model/result/run.ts";
import { CASES } from "./summary_cases.ts";

const GOLDEN = new URL("../../../golden/junit/", import.meta.url);

/** A test case of a report: its name, and what it came to. */
type Found = readonly [name: string, verdict: string];

interface Report {
  readonly counts: Readonly<Record<string, string>>;
  readonly cases: readonly Found[];
  readonly messages: readonly string[];
}

/** Reads a report; a text that is not well-formed XML 1.0 throws. */
function read(xml: string): Report {
  const parser = new SaxesParser();
  const cases: [string, string][] = [];
  const messages: string[] = [];
  let counts: Record<string, string> = {};
  parser.on("opentag", ({ name, attributes }) => {
    if (name === "testsuite") counts = { ...attributes };
    if (name === "testcase") cases.push([attributes["name"]!, "passed"]);
    if (["failure", "error", "skipped"].includes(name)) {
      cases.at(-1)![1] = name;
      messages.push(attributes["message"]!);
    }
  });
  parser.on("error", (error) => {
    throw error;
  });
  parser.write(xml).close();
  return { counts, cases, messages };
}

/*
 * To accept changed reports, and then read the diff:
 * deno test -A tests/unit/results/formats/junit_test.ts -- --update
 */
for (const [name, { meta }] of Object.entries(CASES)) {
  Deno.test(`renderJunit of ${name} is the golden text, and well-formed`, async () => {
    const file = new URL(`${name}.xml`, GOLDEN);
    const actual = renderJunit(meta);
    if (Deno.args.includes("--update")) await Deno.writeTextFile(file, actual);
    equal(actual, await Deno.readTextFile(file));
    const { counts, cases } = read(actual);
    equal(counts["tests"], String(cases.length));
    for (
      const [word, key] of [["failure", "failures"], ["error", "errors"], [
        "skipped",
        "skipped",
      ]] as const
    ) {
      equal(
        counts[key],
        String(cases.filter(([, verdict]) => verdict === word).length),
        key,
      );
    }
  });

  Deno.test(`renderJunit of ${name} is green exactly when the run passed`, () => {
    const { cases } = read(renderJunit(meta));
    ok(cases.length > 0, "some readers refuse a report without a case");
    const bad = cases.some(([, verdict]) =>
      verdict === "failure" || verdict === "error"
    );
    equal(bad, !(meta.status === "finished" && meta.verdict === "pass"));
  });
}

const EXPECTED: readonly (readonly [string, string, readonly Found[]])[] = [
  ["one case a row where rows were run", "fail_with_rows", [
    ["row 1", "passed"],
    ["row 2", "passed"],
    ["row 3", "failure"],
    ["row 4", "failure"],
    ["p95(latency) < 300ms", "failure"],
  ]],
  ["one case a threshold under load", "pass", [
    ["p95(latency) < 400ms", "passed"],
    ["error_rate < 1%", "passed"],
  ]],
  ["a case for the run when it was cut short", "aborted", [
    ["row 1", "passed"],
    ["run", "error"],
  ]],
];

for (const [rule, name, expected] of EXPECTED) {
  Deno.test(`renderJunit has ${rule}`, () => {
    deepStrictEqual(read(renderJunit(CASES[name]!.meta)).cases, expected);
  });
}

Deno.test("renderJunit reports rows that were not kept one by one", () => {
  const { cases, messages } = read(
    renderJunit(CASES["fail_with_many_rows"]!.meta),
  );
  deepStrictEqual(cases.at(-1), ["878 more rows", "failure"]);
  equal(messages.at(-1), "878 of them failed");
});

Deno.test("renderJunit skips a throttled row where a throttle is no failure", () => {
  const { meta } = CASES["fail_with_rows"]!;
  const lenient: RunMeta = {
    ...meta,
    rows: meta.rows!.map((row) => ({
      ...row,
      failures: row.failures.map((each) => ({
        ...each,
        throttle_is_error: false,
      })),
    })),
  };
  deepStrictEqual(read(renderJunit(lenient)).cases[3], ["row 4", "skipped"]);
});

Deno.test("renderJunit of anything a target can say is well-formed", () => {
  const { meta } = CASES["fail_with_rows"]!;
  const message = `]]> <b a="1">&amp; \u0000\u001b[31m\ud800 \ufffe\r\n'"`;
  const hostile: RunMeta = {
    ...meta,
    flow: "a",
    rows: meta.rows!.map((row) => ({
      ...row,
      failures: row.failures.map((each) => ({ ...each, message })),
    })),
  };
  const { messages } = read(renderJunit(hostile));
  // What XML has no character for is seen, so that two texts that differ look different.
  const shown = String.raw`]]> <b a="1">&amp; \u{0}\u{1b}[31m`;
  ok(messages[0]!.includes(shown), String(messages[0]));
});

Deno.test("renderSuites has no empty list of properties, which the schema of Jenkins refuses", () => {
  const xml = renderSuites([missingSuite("checkout", false)]);
  deepStrictEqual(read(xml).cases, [["run", "skipped"]]);
  ok(!xml.includes("properties"), xml);
});
