import { deepStrictEqual, equal, ok } from "node:assert/strict";
import { parse } from "yaml";
import type { Block } from "./blocks.ts";
import { ciScript } from "./ci_script.ts";
import { withoutExceptions } from "./exceptions.ts";
import { cutDown, wholeFlow } from "./flow_text.ts";
import { assertLike } from "./likeness.ts";
import type { PagePlace, ScriptResult } from "./page_place.ts";

/** What runs a block of a language unless the page says otherwise. */
type Runner = (block: Block, place: PagePlace) => Promise<ScriptResult>;

const RUNNERS: Readonly<Record<string, Runner>> = {
  sh: ({ page, text }, place) =>
    place.sh(place.moved(withoutExceptions(page, text))),
  python(block, place) {
    place.write("example.py", place.moved(block.text));
    return place.sh("python3 example.py");
  },
  yaml: (block, place) =>
    /^base_urls:/m.test(block.text)
      ? planAgainst(block, place)
      : runFlow(block, place),
  yml: ({ text }, place) => place.sh(place.moved(ciScript(text))),
};

/** Languages of blocks that are files or output, and never run by themselves. */
const INERT = ["csv", "json", "proto", "text"];

/** Runs the blocks of one page, in order. */
export class PageRun {
  #last = "";

  constructor(readonly place: PagePlace) {}

  /** Does with a block what the page and its language say; throws when it does not do what it should. */
  async run(block: Block): Promise<void> {
    const { notes, language, text } = block;
    const { place } = this;
    const shown = notes.shows ?? notes.resembles;
    if (shown !== undefined) {
      const printed = shown === ""
        ? this.#last
        : place.movedBack((await place.sh(place.moved(shown))).output);
      return assertLike(text, printed, notes.resembles !== undefined);
    }
    if (notes.file !== undefined) place.write(notes.file, place.moved(text));
    if (notes.file !== undefined && notes.run === undefined) return;
    const runner = notes.run === undefined
      ? RUNNERS[language]
      : () => place.sh(place.moved(notes.run!));
    ok(
      runner,
      INERT.includes(language)
        ? `what is this ${language}? it needs a comment above it`
        : `nothing runs a block of \`${language}\``,
    );
    const { code, output } = await runner(block, place);
    this.#last = place.movedBack(output);
    equal(code, Number(notes.ends ?? 0), output);
  }
}

/** Runs a flow, or a part of one, with its load cut down. */
function runFlow(
  { text }: Block,
  place: PagePlace,
): Promise<ScriptResult> {
  const flow = cutDown(wholeFlow(place.moved(text)));
  place.write("example.bench.yaml", flow);
  const target = /^ {4}grpc:/m.test(flow) ? "here_grpc" : "here";
  return place.sh(`bench run example.bench.yaml --target ${target}`);
}

/** Plans a run against a target, which has to name the hosts that the page shows. */
async function planAgainst(
  { text }: Block,
  place: PagePlace,
): Promise<ScriptResult> {
  place.write("example.yaml", text);
  place.write("example.bench.yaml", wholeFlow(""));
  const result = await place.sh(
    "bench plan example.bench.yaml --target ./example.yaml",
  );
  const { base_urls } = parse(text) as { base_urls: string[] };
  const hosts = base_urls.map((url) => new URL(url).host);
  deepStrictEqual(hosts.filter((each) => !result.output.includes(each)), []);
  return result;
}
