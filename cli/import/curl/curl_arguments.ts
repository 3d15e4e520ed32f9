import { nearest } from "../../../lib/base/text/suggest.ts";
import { Refused } from "../../../lib/base/errors/bench_error.ts";
import {
  type CurlOption,
  LONG_NAMES,
  longOption,
  shortOption,
} from "./curl_options.ts";

/** The options of one transfer, in order, and its URLs. */
export interface CurlTransfer {
  readonly options: readonly GivenOption[];
  readonly urls: readonly string[];
}

/** An option as it was given. */
export interface GivenOption {
  readonly option: CurlOption;
  /** Empty for one that takes none. */
  readonly value: string;
}

/**
 * Reads what follows `curl`; `--next` begins another transfer.
 *
 * @param line of the command, for messages
 * @throws {Refused} for an option that curl does not have, or without its value
 */
export function readArguments(
  words: readonly string[],
  line: number,
): CurlTransfer[] {
  const transfers: { options: GivenOption[]; urls: string[] }[] = [];
  let current = { options: [] as GivenOption[], urls: [] as string[] };
  transfers.push(current);
  let onlyUrls = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (onlyUrls || !word.startsWith("-") || word === "-") {
      current.urls.push(word);
      continue;
    }
    if (word === "--") {
      onlyUrls = true;
      continue;
    }
    for (const each of readWord(word, line)) {
      let { value } = each;
      if (each.option.takesValue && value === undefined) {
        value = words[++at];
        if (value === undefined) {
          throw new Refused(`line ${line}: \`${word}\` needs a value`);
        }
      }
      if (each.option.long === "next") {
        transfers.push(current = { options: [], urls: [] });
      } else if (each.option.long === "url") current.urls.push(value!);
      else current.options.push({ option: each.option, value: value ?? "" });
    }
  }
  return transfers.filter(({ urls }) => urls.length > 0);
}

interface ReadOption {
  readonly option: CurlOption;
  /** Undefined when it is the next word. */
  readonly value: string | undefined;
}

/** `--data=x`, `-XPOST`, `-sSL`: one word may be several options. */
function readWord(word: string, line: number): ReadOption[] {
  if (word.startsWith("--")) {
    const [, name, value] = /^--([^=]*)(?:=([\s\S]*))?$/.exec(word)!;
    const option = longOption(name!);
    if (!option) throw unknown(`--${name}`, line, nearest(name!, LONG_NAMES));
    return [{ option, value }];
  }
  const found: ReadOption[] = [];
  for (let at = 1; at < word.length; at++) {
    const option = shortOption(word[at]!);
    if (!option) throw unknown(`-${word[at]}`, line);
    const rest = word.slice(at + 1);
    if (option.takesValue) {
      found.push({ option, value: rest === "" ? undefined : rest });
      break;
    }
    found.push({ option, value: undefined });
  }
  return found;
}

function unknown(name: string, line: number, meant?: string): Refused {
  return new Refused(
    `line ${line}: curl has no option \`${name}\``,
    meant === undefined ? undefined : `did you mean \`--${meant}\`?`,
  );
}
