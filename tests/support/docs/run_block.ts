import { deepStrictEqual, equal, ok } from "node:assert/strict";
import { parse } from "yaml";
import type { Block } from "./blocks.ts";
import { ciScript } from "./ci_script.ts";
import { withoutExceptions } from "./exceptions.ts";
import { cutDown, shortened, wholeFlow } from "./flow_text.ts";
import { assertLike } from "./likeness.ts";
import type { PageHarness, ScriptResult } from "./page_harness.ts";

/** What runs a block of a language unless the page says otherwise. */
type Runner = (block: Block, harness: PageHarness) => Promise<ScriptResult>;

const RUNNERS: Readonly<Record<string, Runner>> = {
  sh: ({ page, text }, harness) =>
    harness.sh(harness.moved(withoutExceptions(page, text))),
  python(block, harness) {
    harness.write("example.py", harness.moved(block.text));
    return harness.sh("python3 example.py");
  },
  yaml: (block, harness) =>
    /^base_urls:/m.test(block.text)
      ? planAgainst(block, harness)
      : runFlow(block, harness),
  yml: ({ text }, harness) => harness.sh(harness.moved(ciScript(text))),
};

/** Languages of blocks that are files or output, and never run by themselves. */
const INERT = ["csv", "json", "proto", "text"];

/** Runs the blocks of one page, in order. */
export class PageRun {
  #last = "";

  constructor(readonly harness: PageHarness) {}

  /** Does with a block what the page and its language say; throws when it does not do what it should. */
  async run(block: Block): Promise<void> {
    const { notes, language, text } = block;
    const { harness } = this;
    const shown = notes.shows ?? notes.resembles;
    if (shown !== undefined) {
      const printed = shown === ""
        ? this.#last
        : harness.movedBack((await harness.sh(harness.moved(shown))).output);
      return assertLike(text, printed, notes.resembles !== undefined);
    }
    if (notes.file !== undefined) {
      harness.write(notes.file, shortened(harness.moved(text)));
    }
    if (notes.file !== undefined && notes.run === undefined) return;
    const runner = notes.run === undefined
      ? RUNNERS[language]
      : () => harness.sh(harness.moved(notes.run!));
    ok(
      runner,
      INERT.includes(language)
        ? `what is this ${language}? it needs a comment above it`
        : `nothing runs a block of \`${language}\``,
    );
    const { code, output } = await runner(block, harness);
    this.#last = harness.movedBack(output);
    equal(code, Number(notes.ends ?? 0), output);
  }
}

/** Runs a flow, or a part of one, with its load cut down. */
function runFlow(
  { text }: Block,
  harness: PageHarness,
): Promise<ScriptResult> {
  const flow = cutDown(wholeFlow(harness.moved(text)));
  harness.write("example.bench.yaml", flow);
  const target = /^ {4}grpc:/m.test(flow) ? "here_grpc" : "here";
  return harness.sh(`bench run example.bench.yaml --target ${target}`);
}

/** Plans a run against a target, which has to name the hosts that the page shows. */
async function planAgainst(
  { text }: Block,
  harness: PageHarness,
): Promise<ScriptResult> {
  harness.write("example.yaml", text);
  harness.write("example.bench.yaml", wholeFlow(""));
  const result = await harness.sh(
    "bench plan example.bench.yaml --target ./example.yaml",
  );
  const { base_urls } = parse(text) as { base_urls: string[] };
  const hosts = base_urls.map((url) => new URL(url).host);
  deepStrictEqual(hosts.filter((each) => !result.output.includes(each)), []);
  return result;
}
