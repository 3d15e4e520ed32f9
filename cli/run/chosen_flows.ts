import { Refused } from "../../lib/base/errors/bench_error.ts";
import { InputError } from "../../lib/base/text/diagnostic.ts";
import { didYouMean } from "../../lib/base/text/suggest.ts";
import { compileFlow } from "../../lib/compile.ts";
import { readFlowFile } from "../inputs/input_files.ts";
import { withLoad } from "../options/judged_flow.ts";
import type { FlagsOf } from "../options/option.ts";
import type { Console } from "../terminal/console.ts";
import type { RUN } from "./run_options.ts";

/**
 * The flows that are meant, by their names and tags.
 *
 * @throws {Refused} when there is none
 * @throws {InputError} of a file that could not be read, when none of the others is meant
 */
export async function chosenFlows(
  files: readonly string[],
  flags: FlagsOf<typeof RUN>,
  console: Console,
): Promise<readonly string[]> {
  const { only, tags, skipTags, mode } = flags;
  if (!only && !tags && !skipTags) return files;
  const flows: Chosen[] = [];
  const refused: InputError[] = [];
  for (const file of files) {
    try {
      const input = await readFlowFile(file, console, mode);
      const { flow, tags } = await compileFlow(withLoad(input, flags));
      flows.push({ file, name: flow.flow, tags });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      refused.push(error);
    }
  }
  // A draft among others is not meant.
  if (flows.length === 0) throw refused[0];
  const [some, none] = [wordsOf(tags), wordsOf(skipTags)];
  const known = [...new Set(flows.flatMap((each) => each.tags))];
  for (const word of [...some ?? [], ...none ?? []]) {
    if (!known.includes(word)) throw unknownTag(word, known);
  }
  const isNamed = namedBy(only);
  const named = flows.filter(({ name }) => isNamed(name));
  const has = (words: readonly string[], { tags }: Chosen) =>
    words.some((word) => tags.includes(word));
  const meant = named.filter((each) =>
    (!some || has(some, each)) && !(none && has(none, each))
  );
  if (meant.length > 0) return meant.map(({ file }) => file);
  if (named.length > 0) {
    throw new Refused(
      `no flow is left of ${listed(named.map(({ name }) => name), ", ")}`,
      "`--tags` and `--skip-tags` leave all of them out",
    );
  }
  // One that could not be read may have the name.
  throw refused[0] ?? new Refused(
    `no flow is named ${listed(only ?? [], " or ")}`,
    `there are ${listed([...new Set(flows.map(({ name }) => name))], ", ")}`,
  );
}

/** A flow that may be meant. */
interface Chosen {
  readonly file: string;
  readonly name: string;
  readonly tags: readonly string[];
}

/** Words of a flag that may be repeated, and hold several between commas. */
function wordsOf(texts: readonly string[] | undefined): string[] | undefined {
  return texts?.flatMap((each) => each.split(","))
    .map((word) => word.trim()).filter((word) => word !== "");
}

function unknownTag(word: string, known: readonly string[]): Refused {
  return new Refused(
    `no flow has the tag \`${word}\``,
    didYouMean(word, known) ??
      (known.length === 0
        ? "no flow has tags: write `tags: [...]` at its top (version 1)"
        : `there are ${listed(known, ", ")}`),
  );
}

function namedBy(
  only: readonly string[] | undefined,
): (name: string) => boolean {
  const patterns = only?.map((each) => {
    const parts = each.split("*").map((part) => RegExp.escape(part));
    return new RegExp(`^${parts.join(".*")}$`);
  });
  return (name) => patterns?.some((each) => each.test(name)) ?? true;
}

function listed(words: readonly string[], joint: string): string {
  return words.map((each) => `\`${each}\``).join(joint);
}
