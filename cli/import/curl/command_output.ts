import { Refused } from "../../../lib/base/errors/bench_error.ts";
import type { JsonValue } from "../../../lib/base/values/json.ts";
import { isCredential } from "../draft/credentials.ts";
import { snakeCase, TAKEN_NAMES, UniqueNames } from "../draft/names.ts";
import { referenceOf, template } from "../draft/template_text.ts";
import { drawnBy } from "./drawn_output.ts";
import { VARIABLE } from "./shell_text.ts";

/** The standard input of a command: a text, or the path of a file. */
export interface ShellInput {
  readonly text?: string;
  readonly file?: string;
}

/** One command of a shell script. */
export interface ShellCommand {
  /** With a template where the shell would put a variable. */
  readonly words: readonly string[];
  /** 1-based, of its first word. */
  readonly line: number;
  readonly input?: ShellInput;
  /** Whether it reads what the command before it prints. */
  readonly piped: boolean;
  /** Variables of the flow that later commands take from what it prints, and their paths. */
  readonly extract: Record<string, string>;
}

/** The words behind `curl`, after a prompt, variables, `sudo` and `do`; undefined for another command. */
export function curlWords(
  { words }: Pick<ShellCommand, "words">,
): readonly string[] | undefined {
  const at = words.findIndex((each) =>
    !/^[A-Za-z_]\w*=|^[$>%#]$|^(?:sudo|time|command|exec)$/.test(each) &&
    !CONTROL.test(each)
  );
  return /(?:^|[\\/])curl(?:\.exe)?$/i.test(words[at] ?? "")
    ? words.slice(at + 1)
    : undefined;
}

/** The input of the next command where one prints a text or a file and does nothing else. */
export function printedBy(
  { words, input }: Pick<ShellCommand, "words" | "input">,
): ShellInput | undefined {
  const [program = "", ...args] = words.slice(
    words.findIndex((each) => !CONTROL.test(each)),
  );
  const [first, ...others] = args.filter((each) => each !== "-n");
  if (program === "cat") {
    return first === undefined || first === "-"
      ? input
      : others.length === 0
      ? { file: first }
      : undefined;
  }
  if (program === "echo" && !/^-[eE]/.test(first ?? "")) {
    const end = args.includes("-n") ? "" : "\n";
    return { text: [first ?? "", ...others].join(" ") + end };
  }
  const text = first === "%s" && others.length === 1 ? others[0]! : first;
  return program === "printf" && text !== undefined && !/[%\\]/.test(text)
    ? { text }
    : undefined;
}

/** The milliseconds that a `sleep` takes; undefined for any other command. */
export function sleptMs(
  { words }: Pick<ShellCommand, "words">,
): number | undefined {
  const said = words.filter((each) => !CONTROL.test(each)).join(" ");
  const [, number, unit = "s"] =
    /^sleep (\d{1,6}(?:\.\d{1,6})?|\.\d{1,6})([smh]?)$/.exec(said) ?? [];
  return number === undefined
    ? undefined
    : Number(number) * { s: 1_000, m: 60_000, h: 3_600_000 }[unit || "s"]!;
}

/** Words of a shell around the commands of a loop or a condition. */
export const CONTROL =
  /^(?:for|while|until|if|elif|else|then|do|done|fi|esac|[!{}])$/;

/** The variables of a script whose values are known: URLs, and parts of responses. */
export class ShellVariables {
  readonly #texts = new Map<string, string>();
  readonly #lists = new Map<string, readonly string[]>();
  /** Words of lists that were put into commands, and into other lists. */
  #listed = 0;
  /** Requests whose whole response a variable holds. */
  readonly #responses = new Map<string, ShellCommand>();
  readonly #names = new UniqueNames(TAKEN_NAMES);
  /** Values of the flow that stand for what is new each time. */
  readonly drawn: Record<string, JsonValue> = {};

  /**
   * The text that stands for a variable.
   *
   * @param instead the default of `${NAME:-default}`
   */
  in(name: string, instead = ""): string {
    const plain = instead.replace(/^(["'])(.*)\1$/s, "$2");
    const known = this.#texts.get(name);
    if (known === undefined && name === "RANDOM") {
      return this.#draw("random", { int: "0..32767" });
    }
    return known ?? (isPlain(name, plain) ? plain : environment(name));
  }

  /** Whether a variable of the flow, of JSON or drawn, may be a number. */
  mayBeNumber(reference: string): boolean {
    if (reference.startsWith("env.")) return false;
    const value = this.drawn[reference];
    return value === undefined || /unix|int/.test(JSON.stringify(value));
  }

  /** A text with its variables. */
  filledIn(text: string): string {
    return text.replaceAll(
      new RegExp(VARIABLE.source, "g"),
      (_, plain, inBraces, instead) => this.in(plain ?? inBraces, instead),
    );
  }

  /** Takes an assignment. What is secret, or printed by another command, is of the environment. */
  assign(name: string, value: string): void {
    const own = environment(name);
    if (value !== own && isPlain(name, value)) this.#texts.set(name, value);
    else this.#texts.delete(name);
    if (value !== own) this.#responses.delete(own);
  }

  /**
   * A request in a loop is one step: its variable is the first of the words that are written out.
   *
   * @param word the next one
   */
  takeLoop(
    [first, name = "", relation, ...others]: readonly string[],
    word: string,
  ): void {
    const isLoop = first === "for" && relation === "in" && others.length === 0;
    if (isLoop && /^[\w.:/@%+,-]+$/.test(word)) this.assign(name, word);
  }

  /** @param adds to those that it has */
  setList(name: string, words: readonly string[], adds: boolean): void {
    this.#lists.set(name, adds ? [...this.list(name) ?? [], ...words] : words);
  }

  /**
   * The words of a list.
   *
   * @throws {Refused} where lists in lists grow without end
   */
  list(name: string): readonly string[] | undefined {
    const words = this.#lists.get(name);
    this.#listed += words?.length ?? 0;
    if (this.#listed <= MOST_LISTED) return words;
    throw new Refused(
      `the lists of the script have more than ${MOST_LISTED} words`,
      "write the commands out, or import the script in parts",
    );
  }

  /**
   * The output of the commands of a `$(...)`, where the first is a request, or says
   * the response of one.
   *
   * @param name of the variable that it is assigned to
   * @returns the request, where it is a new one, and the text that stands for the output
   */
  outputOf(
    commands: readonly ShellCommand[],
    name: string | undefined,
  ): { readonly request?: ShellCommand; readonly text?: string } {
    const [first, filter, ...rest] = commands;
    if (!first) return {};
    const drawn = drawnBy(commands);
    if (drawn) {
      return { text: this.#draw(name ?? drawn.likeness, drawn.value) };
    }
    const known = this.#responseIn(first);
    const request = known ?? (curlWords(first) ? first : undefined);
    if (!request) return {};
    const made = known ? {} : { request };
    if (!filter || (rest.length === 0 && isWithoutLast(filter))) {
      if (name === undefined) return made;
      this.#responses.set(environment(name), request);
      return { ...made, text: environment(name) };
    }
    const path = rest.length === 0 && filter.piped
      ? printedPath(filter.words) ?? cutPath([filter])
      : cutPath([filter, ...rest]);
    if (path === undefined) return made;
    const variable = this.#flowName(
      name ?? path.split(/\W+/).findLast(Boolean)!,
    );
    request.extract[variable] = path;
    return { ...made, text: template(variable) };
  }

  #flowName(likeness: string): string {
    const plain = snakeCase(likeness);
    return this.#names.of(/^[a-z]/.test(plain) ? plain : "value");
  }

  #draw(likeness: string, value: JsonValue): string {
    const name = this.#flowName(likeness);
    this.drawn[name] = value;
    return template(name);
  }

  /** The request whose response is printed: `echo "$RESPONSE"`. */
  #responseIn({ words }: ShellCommand): ShellCommand | undefined {
    const [program = "", ...args] = words;
    return /^(?:echo|printf)$/.test(program)
      ? this.#responses.get(args.at(-1) ?? "")
      : undefined;
  }
}

const MOST_LISTED = 100_000;

/** A variable of the environment, or an argument of the script: `$1`. */
function environment(name: string): string {
  const own = /^\d$/.test(name) ? `ARGUMENT_${name}` : name.toUpperCase();
  return template(`env.${own}`);
}

/** Stands for what `$(...)` prints. */
export const COMMAND_OUTPUT = "COMMAND_OUTPUT";

/** Whether the value of a variable may be written out. Credentials of a header are found there. */
function isPlain(name: string, value: string): boolean {
  if (value === "" || /[$`]/.test(value)) return false;
  if (value.includes(environment(COMMAND_OUTPUT))) return false;
  const reference = referenceOf(value);
  if (reference !== undefined) return !reference.startsWith("env.");
  return HEADER_LINE.test(value) || !isCredential(name, value);
}

const HEADER_LINE = /^[\w-]{1,80}:\s/;

/** Whether all is printed but a last line, in which scripts have the status of `-w`. */
function isWithoutLast({ words, piped }: ShellCommand): boolean {
  return piped && /^(?:head -n ?-1|sed '?\$d'?)$/.test(words.join(" "));
}

/** The JSON path of a member whose text `grep` and `cut`, or `sed`, take out of JSON by its name. */
function cutPath(filters: readonly ShellCommand[]): string | undefined {
  if (!filters.every(({ piped }) => piped)) return;
  const written = filters.map(({ words }) => words.join(" "))
    .filter((each) => !/^head -(?:n ?)?1$/.test(each)).join(" | ");
  const [, name] = CUT.exec(written) ?? SUBSTITUTED.exec(written) ?? [];
  return name === undefined ? undefined : `$..${name}`;
}

/** `grep -o '"id":"[^"]*"' | cut -d'"' -f4`, `grep -o '"id":[0-9]*' | cut -d: -f2` */
const CUT =
  /^grep -o[EP]? "([A-Za-z_]\w*)": ?\*?(?:"\[\^"\][*+]"? \| cut -d ?" -f ?4|\[0-9\][*+] \| cut -d ?: -f ?2)$/;
/** `sed -n 's/.*"id":"\([^"]*\)".*\/\1/p'` */
const SUBSTITUTED =
  /^sed -n s\/\.\*"([A-Za-z_]\w*)": ?\*?"\\\(\[\^"\]\*\\\)"?\.\*\/\\1\/p$/;

/** The JSON path whose value jq or Python prints; undefined for any other command. */
function printedPath(
  [program = "", ...args]: readonly string[],
): string | undefined {
  if (/^python[\d.]*$/.test(program)) {
    const [, keys = ""] = LOADED.exec(args.join(" ")) ?? [];
    return pathOf(keys.replaceAll(GOT, "[$1]"));
  }
  const filters = args.filter((each) => !each.startsWith("-"));
  return /^(?:jq|gojq|jaq)$/.test(program) && filters.length === 1
    ? pathOf(filters[0]!.trim().replace(/\s*\/\/\s*(?:empty|null|"")$/, ""))
    : undefined;
}

/** `json.load(sys.stdin)["data"][0].get("id", "")` */
const LOADED =
  /json\.load\(\s*sys\.stdin\s*\)((?:\[[^[\]]{1,200}\]|\.get\([^()]{1,200}\))+)/;
const GOT = /\.get\(\s*("[^"]*"|'[^']*')\s*(?:,[^()]*)?\)/g;

/** `.data[0].id?`, `.["a b"]`, `['id']` */
function pathOf(written: string): string | undefined {
  let path = "$";
  let at = 0;
  for (const [whole, plain, quoted, index] of written.matchAll(KEY)) {
    at += whole.length;
    const name = plain ?? quoted;
    path += name === undefined
      ? `[${index}]`
      : /^[A-Za-z_]\w*$/.test(name)
      ? `.${name}`
      : `["${name}"]`;
  }
  return at > 0 && at === written.length ? path : undefined;
}

const KEY =
  /(?:\.([A-Za-z_]\w*)|\.?\[?["']([\w .:@/-]+)["']\]?|\.?\[(\d{1,9})\])\??/g;
