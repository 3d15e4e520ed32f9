import { assemble } from "../draft/assemble.ts";
import type { Draft, DraftOptions } from "../draft/draft.ts";
import { EnvNames } from "../draft/credentials.ts";
import { Refused } from "../../../lib/base/errors/bench_error.ts";
import { StepIds } from "../draft/names.ts";
import { writeStep } from "../draft/step_writer.ts";
import { bashCommands, COMMAND_OUTPUT } from "./bash_words.ts";
import { cmdCommands, isForCmd, type ShellCommand } from "./cmd_words.ts";
import { readArguments } from "./curl_arguments.ts";
import { curlRequests } from "./curl_request.ts";

/** Options of an import. */
interface CurlOptions extends DraftOptions {
  /** Reads the file of `-d @file`. */
  readText(path: string): string;
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
  const commands = isForCmd(script)
    ? cmdCommands(script)
    : bashCommands(script);
  const env = new EnvNames();
  const ids = new StepIds();
  const notes: string[] = [];
  let timeout: number | undefined;
  const written = commands.flatMap((command) => {
    const words = curlWords(command);
    if (!words) {
      if (!command.piped) notes.push(...leftOut(command));
      return [];
    }
    const files = {
      readText,
      ...(command.stdin !== undefined && { stdin: command.stdin }),
    };
    return readArguments(words, command.line).flatMap((transfer) => {
      const made = curlRequests(transfer, files);
      notes.push(...made.notes);
      timeout = Math.max(timeout ?? 0, made.timeout ?? 0) || undefined;
      return made.requests.map((each) => writeStep(each, env, ids));
    });
  });
  if (written.length === 0) {
    throw new Refused(
      "there is no curl command with a URL",
      "give one between quotes, such as 'curl https://api.example.com/items', or on standard input",
    );
  }
  if (env.variables.some(({ name }) => COMMAND_OUTPUT.includes(name))) {
    notes.push(
      "what a command in `$(...)` prints is read from the variable COMMAND_OUTPUT",
    );
  }
  return assemble(written, {
    origin: "curl",
    env: env.variables,
    notes: [...new Set(notes)],
    ...(timeout !== undefined && { timeout }),
    ...options,
  });
}

/** What follows `curl`, after a prompt, variables and `sudo`; undefined for another command. */
function curlWords({ words }: ShellCommand): readonly string[] | undefined {
  const at = words.findIndex((each) =>
    !/^[A-Za-z_]\w*=|^[$>%#]$|^(?:sudo|time|command|exec)$/.test(each)
  );
  return /(?:^|[\\/])curl(?:\.exe)?$/i.test(words[at] ?? "")
    ? words.slice(at + 1)
    : undefined;
}

/** Names a command. A variable that is set to a text is one of the environment now. */
function leftOut({ words, line }: ShellCommand): string[] {
  const first = words[0] ?? "";
  const [, name, value = ""] = ASSIGNMENT.exec(
    (first === "export" ? words[1] : first) ?? "",
  ) ?? [];
  if (name === undefined) {
    return [`line ${line}: \`${first}\` is not curl and was left out`];
  }
  if (!value.includes(COMMAND_OUTPUT)) return [];
  return [
    `line ${line}: ${name} is what another command prints: set it in the environment`,
  ];
}

const ASSIGNMENT = /^([A-Za-z_]\w*)=([\s\S]*)$/;
