import { Refused } from "../../../lib/base/errors/bench_error.ts";
import {
  ansiText,
  closing,
  refuseOtherShells,
  unclosed,
  VARIABLE,
} from "./shell_text.ts";
import {
  COMMAND_OUTPUT,
  curlWords,
  printedBy,
  type ShellCommand,
  type ShellInput,
  ShellVariables,
} from "./command_output.ts";

/**
 * Splits a script into commands and words, as a POSIX shell and bash do: quotes,
 * `$'...'`, continued lines, comments, pipes, here-documents. Variables become
 * templates. A request in `$(...)` is a command before the one that it is in.
 *
 * @throws {Refused} for a quote that is not closed, and for a command of cmd.exe or
 *   PowerShell
 */
export function bashCommands(
  script: string,
  variables = new ShellVariables(),
): ShellCommand[] {
  refuseOtherShells(script);
  return new BashReader(script.replaceAll("\r\n", "\n"), variables).commands();
}

const PLAIN = /[^\s'"\\$`;&|<>#()]+|[#()]/y;
const CONTINUED = /\\[ \t]*\n/y;
const SETS_LIST = /([A-Za-z_]\w*)(\+?)=\(/y;
/** All words of a list. */
const LIST = /("?)\$\{([A-Za-z_]\w*)\[[@*]\]\}\1/y;
/** A word that sets a variable, and the words that may be before it. */
const ASSIGNMENT = /^([A-Za-z_]\w*)=([^]*)$/;
const DECLARES = /^(?:export|local|declare|readonly|typeset|-\w+)$/;
/** `$(...)` in `$(...)`. */
const MOST_NESTED = 5;
const REDIRECTION = /\d?>>?&?\s*\S*|<[&(]\S*/y;
/** The next word is a file, or a text, that the command reads. */
const INPUT = /<<<|<(?!<)/y;
const HERE_DOCUMENT = /<<(-?)[ \t]*(['"]?)(\w+)\2/y;
/** The next parameter of a URL that was pasted without quotes: no shell would read on. */
const PARAMETER = /&(?=[\w.%[\]~-]+=)/y;
const END = /&&|\|\||[;|&\n]/y;

interface HereDocument {
  /** The command that it is for, once that has ended. */
  owner?: Command;
  readonly end: string;
  readonly literal: boolean;
  readonly indented: boolean;
}

/** A command whose here-document may still come. */
type Command = ShellCommand & { input?: ShellInput };

class BashReader {
  readonly #text: string;
  #at = 0;
  #word: string | undefined;
  /** The word has a `?`. */
  #isQuery = false;
  /** It has a `(`. */
  #hasParenthesis = false;
  #words: string[] = [];
  #line = 1;
  /** Lines are counted as far as here, up to this one. */
  #counted = 0;
  #lines: number;
  #piped = false;
  #input: ShellInput | undefined;
  /** The next word is not one of the command, but its input. */
  #redirects: keyof ShellInput | undefined;
  #here: HereDocument | undefined;
  readonly #commands: Command[] = [];

  readonly #variables: ShellVariables;
  /** Commands of the script itself, where this is one of its `$(...)`. */
  readonly #outer: ShellCommand[];
  readonly #depth: number;
  /** No `$(` and no list from here on is closed. */
  #isOpen = false;

  constructor(
    text: string,
    variables: ShellVariables,
    inside?: {
      readonly outer: ShellCommand[];
      readonly depth: number;
      readonly line: number;
    },
  ) {
    this.#text = text;
    this.#variables = variables;
    this.#outer = inside?.outer ?? this.#commands;
    this.#depth = inside?.depth ?? 0;
    this.#lines = inside?.line ?? 1;
  }

  commands(): ShellCommand[] {
    while (this.#at < this.#text.length) this.#readPart();
    this.#endCommand(false);
    return this.#commands;
  }

  /** Reads one piece, whatever begins here. */
  #readPart(): void {
    const here = this.#text[this.#at]!;
    const list = this.#take(LIST);
    if (list) return this.#addList(list[2]!, list[0]);
    if (this.#word === undefined && this.#readList()) return;
    if (this.#take(CONTINUED) || this.#take(/[ \t]+/y)) {
      this.#endWord();
    } else if (here === "#" && this.#word === undefined) {
      this.#take(/[^\n]*/y);
    } else if (here === "'") {
      this.#add(this.#quoted("'"));
    } else if (this.#text.startsWith("$'", this.#at)) {
      this.#at++;
      this.#add(ansiText(this.#quoted("'", true)));
    } else if (here === '"') {
      this.#add(this.#doubleQuoted());
    } else if (here === "\\") {
      this.#add(this.#text[this.#at + 1] ?? "");
      this.#at += 2;
    } else if (here === "$" || here === "`") {
      this.#addWords(this.#expansion());
    } else this.#readOperator();
  }

  #readOperator(): void {
    const here = this.#take(HERE_DOCUMENT);
    if (here) {
      this.#endWord();
      const [, indented, quote, end] = here;
      this.#here = {
        end: end!,
        literal: quote !== "",
        indented: indented !== "",
      };
      return;
    }
    const word = this.#word ?? "";
    if (word === "" || (word.length === 1 && /\d/.test(word))) {
      if (this.#take(REDIRECTION)) {
        this.#word = undefined;
        return;
      }
      const input = this.#take(INPUT)?.[0];
      if (input !== undefined) {
        this.#redirects = input === "<" ? "file" : "text";
        return;
      }
    } else if (/[<>]/.test(this.#text[this.#at]!)) return this.#endWord();
    if (this.#isQuery && this.#take(PARAMETER)) return this.#add("&");
    if (this.#readParenthesis()) return;
    const end = this.#take(END)?.[0];
    if (end !== undefined) {
      if (end === "\n") this.#readHereDocument();
      return this.#endCommand(end === "|");
    }
    this.#add(this.#take(PLAIN)?.[0] ?? this.#text[this.#at++]!);
  }

  /** Reads the beginning or the end of a subshell, of a function, of a case; others are text. */
  #readParenthesis(): boolean {
    const isStart = this.#words.length === 0;
    if (isStart && this.#take(/\(\)/y)) this.#add("()");
    else if (isStart && this.#word === undefined && this.#take(/\(/y)) {
      return true;
    } else if (this.#text[this.#at] !== ")") return false;
    else if (this.#hasParenthesis) return false;
    else this.#at++;
    this.#endCommand(false);
    return true;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (!found || found[0] === "") return undefined;
    this.#at = pattern.lastIndex;
    return found;
  }

  #add(text: string): void {
    if (this.#words.length === 0 && this.#word === undefined) {
      this.#line = this.#lineHere();
    }
    this.#isQuery ||= text.includes("?");
    this.#hasParenthesis ||= text.includes("(");
    this.#word = (this.#word ?? "") + text;
  }

  /** Outside of quotes a value may be several words, but where it is assigned. */
  #addWords(text: string): void {
    const isOne = !/\s/.test(text) || ASSIGNMENT.test(this.#word ?? "");
    const [first = "", ...others] = isOne ? [text] : text.split(/\s+/);
    this.#add(first);
    for (const each of others) {
      this.#endWord();
      this.#add(each);
    }
  }

  /** Reads the words of `NAME=(...)`, or of `NAME+=(...)`. */
  #readList(): boolean {
    if (this.#isOpen || this.#depth >= MOST_NESTED) return false;
    const [found, name = "", adds] = this.#take(SETS_LIST) ?? [];
    if (found === undefined) return false;
    const from = this.#at;
    const end = closing(this.#text, from);
    if (end < 0) {
      this.#isOpen = true;
      this.#at -= found.length;
      return false;
    }
    const variables = this.#variables;
    const words = new BashReader(this.#text.slice(from, end), variables, {
      outer: this.#outer,
      depth: this.#depth + 1,
      line: this.#lineHere(),
    }).commands().flatMap((each) => each.words);
    variables.setList(name, words, adds === "+");
    this.#at = end + 1;
    return true;
  }

  #addList(name: string, written: string): void {
    const words = this.#variables.list(name);
    if (!words && curlWords({ words: this.#words })) {
      throw new Refused(
        `line ${this.#lineHere()}: the script does not set the list ${written}`,
        "write its words into the command",
      );
    }
    const all = words ?? [written];
    const isQuoted = written.startsWith('"');
    for (const each of isQuoted ? all : all.join(" ").match(/\S+/g) ?? []) {
      this.#add(each);
      this.#endWord();
    }
  }

  #lineHere(): number {
    for (; this.#counted < this.#at; this.#counted++) {
      if (this.#text[this.#counted] === "\n") this.#lines++;
    }
    return this.#lines;
  }

  #endWord(): void {
    const word = this.#word;
    if (word === undefined) return;
    if (this.#redirects) {
      const isText = this.#redirects === "text";
      this.#input = isText ? { text: `${word}\n` } : { file: word };
      this.#redirects = this.#word = undefined;
      return;
    }
    const [, name, value] = ASSIGNMENT.exec(word) ?? [];
    const isFirst = this.#words.every((each) =>
      DECLARES.test(each) || ASSIGNMENT.test(each)
    );
    if (name !== undefined && isFirst) this.#variables.assign(name, value!);
    this.#variables.takeLoop(this.#words, word);
    this.#words.push(word);
    this.#word = undefined;
    this.#isQuery = this.#hasParenthesis = false;
  }

  #endCommand(pipes: boolean): void {
    this.#endWord();
    const words = this.#words;
    const input = this.#input;
    this.#words = [];
    this.#input = this.#redirects = undefined;
    if (words.length === 0) return;
    // All that a command before it does is to print what this one reads.
    const before = this.#commands.at(-1);
    if (this.#piped && input && before && curlWords({ words })) {
      if (printedBy(before)) this.#commands.pop();
    }
    const command: Command = {
      words,
      line: this.#line,
      piped: this.#piped,
      extract: {},
      ...(input && { input }),
    };
    this.#commands.push(command);
    if (this.#here) this.#here.owner ??= command;
    this.#piped = pipes;
    this.#input = pipes ? printedBy(command) : undefined;
  }

  /** Up to the closing quote; with `escapes`, `\'` does not close. */
  #quoted(quote: string, escapes = false): string {
    const start = ++this.#at;
    while (this.#at < this.#text.length) {
      const here = this.#text[this.#at]!;
      if (here === quote) return this.#text.slice(start, this.#at++);
      this.#at += escapes && here === "\\" ? 2 : 1;
    }
    throw this.#unclosed(start - 1, quote);
  }

  #doubleQuoted(): string {
    const start = this.#at++;
    let text = "";
    while (this.#at < this.#text.length) {
      const here = this.#text[this.#at]!;
      if (here === '"') {
        this.#at++;
        return text;
      }
      if (here === "$" || here === "`") text += this.#expansion();
      else if (here === "\\") {
        const next = this.#text[this.#at + 1] ?? "";
        if (next !== "\n") text += /["\\$`]/.test(next) ? next : here + next;
        this.#at += 2;
      } else {
        text += here;
        this.#at++;
      }
    }
    throw this.#unclosed(start, '"');
  }

  /** A variable, or what a command prints, which is one as well. */
  #expansion(): string {
    const found = this.#take(VARIABLE);
    if (found) return this.#variables.in(found[1] ?? found[2]!, found[3]);
    return this.#substitution() ?? this.#text[this.#at++]!;
  }

  /** The text that stands for the output of `$(...)`; undefined where it is not closed. */
  #substitution(): string | undefined {
    const start = this.#at;
    const isOld = this.#text[start] === "`";
    if (this.#isOpen || (!isOld && this.#text[start + 1] !== "(")) return;
    const from = start + (isOld ? 1 : 2);
    const end = isOld
      ? this.#text.indexOf("`", from)
      : closing(this.#text, from);
    if (end < 0) {
      this.#isOpen = true;
      return;
    }
    const line = this.#lineHere();
    this.#at = end + 1;
    const variables = this.#variables;
    const depth = this.#depth + 1;
    const output = variables.in(COMMAND_OUTPUT);
    if (depth > MOST_NESTED) return output;
    const [, name] = /^([A-Za-z_]\w*)=$/.exec(this.#word ?? "") ?? [];
    const inside = { outer: this.#outer, depth, line };
    const { request, text } = variables.outputOf(
      new BashReader(this.#text.slice(from, end), variables, inside).commands(),
      name,
    );
    if (request) this.#outer.push(request);
    return text ?? output;
  }

  /** The lines after this one, up to the word that ends them. */
  #readHereDocument(): void {
    const here = this.#here;
    if (!here) return;
    this.#here = undefined;
    const lines: string[] = [];
    while (this.#at < this.#text.length) {
      const line = this.#take(/[^\n]*\n|[^\n]+$/y)?.[0] ?? "";
      const own = here.indented ? line.replace(/^\t+/, "") : line;
      if (own.trimEnd() === here.end) break;
      lines.push(own);
    }
    const text = lines.join("");
    const input = {
      text: here.literal ? text : this.#variables.filledIn(text),
    };
    if (!here.owner) this.#input = input;
    else {
      here.owner.input = input;
      // `cat <<END | curl -d @-`
      if (this.#piped) this.#input = printedBy(here.owner);
    }
  }

  #unclosed(at: number, quote: string): Refused {
    this.#at = Math.max(at, this.#counted);
    return unclosed(this.#lineHere(), quote);
  }
}
