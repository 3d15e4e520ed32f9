import { assemble, readBy } from "../draft/assemble.ts";
import type { Draft, DraftOptions } from "../draft/draft.ts";
import { EnvNames } from "../draft/credentials.ts";
import { Refused } from "../../../lib/base/errors/bench_error.ts";
import type { HttpRequest } from "../draft/http_request.ts";
import { withPauses } from "../draft/pauses.ts";
import { writeStep, writeSteps } from "../draft/step_writer.ts";
import { hasTemplate, shownText, template } from "../draft/template_text.ts";
import { bashCommands } from "./bash_words.ts";
import {
  COMMAND_OUTPUT,
  CONTROL,
  curlWords,
  type ShellCommand,
  ShellVariables,
  sleptMs,
} from "./command_output.ts";
import { readArguments } from "./curl_arguments.ts";
import { curlRequests } from "./curl_request.ts";
import { ScriptCookies } from "./script_cookies.ts";

/** Options of an import. */
interface CurlOptions extends DraftOptions {
  /** Reads the file of `-d @file`. */
  readText(path: string): string;
}

/** The forms besides a curl command that browsers copy a request in. */
const COPIED: readonly (readonly [form: string, begins: RegExp])[] = [
  [
    "for PowerShell",
    /^\s*(?:\$session\s*=|Invoke-(?:WebRequest|RestMethod)\s)/i,
  ],
  ["as fetch", /^\s*(?:await\s+)?fetch\s*\(/],
];

function refuseOthers(script: string): void {
  if (/\bcurl\b/.test(script)) return;
  const [form] = COPIED.find(([, begins]) => begins.test(script)) ?? [];
  if (form !== undefined) {
    throw new Refused(
      `this request was copied ${form}`,
      "copy it as cURL (bash), which browsers offer on Windows too",
    );
  }
  const [, other] = /^\s*(wget|https?|xh)\s/.exec(script) ?? [];
  if (other !== undefined) {
    throw new Refused(
      `\`${other}\` is not curl`,
      "write the request as a curl command, such as 'curl https://api.example.com/items'",
    );
  }
}

/**
 * A flow of the curl commands in a script, one step a request. Other commands
 * are left out and named.
 *
 * @throws {Refused} when there is no curl command, or one is broken
 */
export function importCurl(
  script: string,
  { readText, ...options }: CurlOptions,
): Draft {
  refuseOthers(script);
  const variables = new ShellVariables();
  const commands = commandsOf(script, variables);
  const env = new EnvNames();
  const others = Map.groupBy(commands.filter(isOther), programOf);
  const notes: string[] = [];
  let timeout: number | undefined;
  const cookies = new ScriptCookies();
  const found = commands.map((command) => {
    const words = curlWords(command);
    notes.push(...notesOn(command, others.get(programOf(command))));
    if (!words) return [];
    const { input = {} } = command;
    const files = {
      ...{ readText, input },
      mayBeNumber: (each: string) => variables.mayBeNumber(each),
    };
    const { line } = command;
    const all = readArguments(words, line).flatMap((transfer) => {
      const made = atLine(line, () => curlRequests(transfer, files));
      notes.push(...made.notes, ...cookies.add(made, line));
      timeout = Math.max(timeout ?? 0, made.timeout ?? 0) || undefined;
      return made.requests;
    });
    // Of several responses, the variable is in the last.
    return all.map((request, index) => ({
      request,
      line,
      extract: index === all.length - 1 ? command.extract : {},
    }));
  });
  const byCommand = withMethods(found, commands, notes);
  const requests = byCommand.flat();
  if (requests.length === 0) throw noRequest(script);
  const written = writeSteps(requests, env, writeRequest);
  const isRead = readBy(written);
  const drawn = Object.entries(variables.drawn).filter(([name]) =>
    isRead(name)
  );
  const draft = assemble(written, {
    origin: "curl",
    env: env.variables,
    notes: notesOfAll([...notes, ...cookies.notes()], env),
    keepsCookies: cookies.areSent,
    ...(drawn.length > 0 && { values: Object.fromEntries(drawn) }),
    ...(timeout !== undefined && { timeout }),
    ...options,
  });
  return {
    ...withPauses(draft, pausesOf(commands, byCommand)),
    recorded: env.recorded,
  };
}

function commandsOf(
  script: string,
  variables: ShellVariables,
): ShellCommand[] {
  if (script.length <= LONGEST_SCRIPT) {
    return bashCommands(script.toWellFormed(), variables);
  }
  throw new Refused(
    `the script has ${script.length} characters; at most ${LONGEST_SCRIPT} are read`,
    "import it in parts",
  );
}

function writeRequest(
  { request, extract, line }: ScriptRequest,
  tools: Parameters<typeof writeStep>[1],
) {
  const { step, origin } = atLine(line, () => writeStep(request, tools));
  return { step: { ...step, extract }, origin };
}

/** Makes something of a command; a refusal says which one it is of. */
function atLine<T>(line: number, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw new Refused(`line ${line}: ${error.message}`, error.hint);
  }
}

/** A request of a command, and the variables that are taken from its response. */
interface ScriptRequest {
  readonly request: HttpRequest;
  /** Of the command. */
  readonly line: number;
  readonly extract: Record<string, string>;
}

/** Without requests whose method only the shell knows, such as in a function, each named. */
function withMethods(
  all: readonly (readonly ScriptRequest[])[],
  commands: readonly ShellCommand[],
  notes: string[],
): readonly (readonly ScriptRequest[])[] {
  const isKnown = ({ request: { method }, extract }: ScriptRequest) =>
    !hasTemplate(method) || Object.keys(extract).length > 0;
  // Without any other, the refusal of the step says why.
  if (!all.some((each) => each.some(isKnown))) return all;
  return all.map((requests, index) =>
    requests.filter((each) => {
      if (isKnown(each)) return true;
      const shown = shownText(each.request.method);
      const { line } = commands[index]!;
      notes.push(`line ${line}: left out: its method is \`${shown}\``);
      return false;
    })
  );
}

/** The pauses of a script, in milliseconds before the nth of its requests. */
function pausesOf(
  commands: readonly ShellCommand[],
  requests: readonly (readonly unknown[])[],
): Map<number, number> {
  const pauses = new Map<number, number>();
  let count = 0;
  commands.forEach((command, index) => {
    count += requests[index]!.length;
    pauses.set(count, (pauses.get(count) ?? 0) + (sleptMs(command) ?? 0));
  });
  return pauses;
}

const LONGEST_SCRIPT = 4 << 20;

function noRequest(script: string): Refused {
  const [word = "", ...others] = script.trim().split(/\s+/);
  const isOne = others.length === 0 && /^[\w:/.~?&=%-]+$/.test(word);
  return new Refused(
    "there is no curl command with a URL",
    isOne && word.includes("://")
      ? `did you mean 'curl ${word}'?`
      : isOne && /[./]/.test(word)
      ? `commands of a file come from standard input: bench import curl - <${word}`
      : "give one between quotes, such as 'curl https://api.example.com/items', or on standard input",
  );
}

/** The notes of the requests, each once, and those about the whole script. */
function notesOfAll(notes: readonly string[], env: EnvNames): string[] {
  const printed = env.variables.some(({ name }) => name === COMMAND_OUTPUT)
    ? [
      "what a command in `$(...)` prints is read from the variable COMMAND_OUTPUT",
    ]
    : [];
  return [...new Set([...notes, ...printed])];
}

/** Names the loop or the condition that a command begins, and what is not curl. */
function notesOn(
  command: ShellCommand,
  others: readonly ShellCommand[] = [],
): string[] {
  const { words: [first = ""], line } = command;
  if (/^(?:for|while|until|if)$/.test(first)) {
    return [
      `line ${line}: \`${first}\` was left out: a flow has no loops and conditions, and each request in one is a step`,
    ];
  }
  if (!isOther(command)) return [];
  const program = programOf(command);
  const [, name, value = ""] = ASSIGNMENT.exec(program) ?? [];
  if (name === undefined) {
    return others[0] === command
      ? [
        `${shownLines(others)}: \`${
          shownText(program)
        }\` is not curl and was left out`,
      ]
      : [];
  }
  // A variable that is set to a text is known, or one of the environment.
  return value.includes(template(`env.${COMMAND_OUTPUT}`))
    ? [
      `line ${line}: ${name} is what another command prints: set it in the environment`,
    ]
    : [];
}

/** Whether a command is neither a request nor a pause, and reads no other one. */
function isOther(command: ShellCommand): boolean {
  return !command.piped && !curlWords(command) &&
    sleptMs(command) === undefined && programOf(command) !== "";
}

/** The program of a command, or its assignment. */
function programOf({ words }: ShellCommand): string {
  return words.find((each) =>
    !CONTROL.test(each) &&
    !/^(?:export|local|declare|readonly|typeset)$/.test(each)
  ) ?? "";
}

/** `line 3`, `lines 3, 5, 8 and 12 more` */
function shownLines(commands: readonly ShellCommand[]): string {
  const lines = [...new Set(commands.map(({ line }) => line))];
  const more = lines.length - MOST_LINES;
  return `line${lines.length > 1 ? "s" : ""} ${
    lines.slice(0, MOST_LINES).join(", ")
  }${more > 0 ? ` and ${more} more` : ""}`;
}

const MOST_LINES = 5;

const ASSIGNMENT = /^([A-Za-z_]\w*)=([\s\S]*)$/;
