import type { Command } from "commander";
import type { Console } from "./console.ts";

/** What people who know other load tools type; here the flow says it. */
const LOAD_FLAG =
  /^unknown option '(?:-[diu]|--(?:vus|users|duration|iterations|stages?|rps|rate|arrival-rate|hold|ramp|thresholds?))'/;
const FLOW_AS_COMMAND = /^unknown command '(.+\.(?:ya?ml|json|py))'/;
const NO_TARGET = /^required option '--target/;

/** Mistakes in the command line look like all others: what is wrong, and the way out. */
export function tellUsageErrors(program: Command, console: Console): void {
  const own = (command: Command, name: string) =>
    command.configureOutput({
      writeErr: (text) => console.err(text),
      outputError: (said) => console.err(usageError(said, name)),
    });
  own(program, program.name());
  for (const command of program.commands) {
    own(command, `${program.name()} ${command.name()}`);
  }
}

/**
 * @param said what the library says: `error: ...`, perhaps with a suggestion in
 *   brackets on a line of its own
 * @param command the command's words, such as `bench run`
 */
function usageError(said: string, command: string): string {
  const [first = "", second] = said.trim().split("\n");
  const message = first.replace(/^error: /, "");
  const meant = second && /^\(Did you mean (.+)\?\)$/.exec(second)?.[1];
  const hint = meant ? `did you mean ${meant}?` : hintOf(message, command);
  return `bench: error: ${message}\n  = ${hint}\n`;
}

function hintOf(message: string, command: string): string {
  if (LOAD_FLAG.test(message)) {
    return "the flow's `profile` says how much load there is: vus, hold, iterations, arrival_cap, thresholds";
  }
  if (NO_TARGET.test(message)) {
    return "the target file says where a run may go: give its path, or its name in targets/";
  }
  const flow = FLOW_AS_COMMAND.exec(message)?.[1];
  return flow === undefined
    ? `see ${command} --help`
    : `to run it: bench run ${flow} --target <target>`;
}
