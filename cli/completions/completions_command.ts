import type { Command } from "commander";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { outlineOf, type ProgramOutline } from "./outline.ts";
import { zshScript } from "./zsh.ts";
import type { Console } from "../terminal/console.ts";

const SCRIPTS = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
} as const satisfies Record<string, (program: ProgramOutline) => string>;

/** A shell that there is a completion script for. */
export type Shell = keyof typeof SCRIPTS;

/** Prints a completion script made from `program`. Returns the exit code. */
export function completionsCommand(
  shell: Shell,
  program: Command,
  console: Console,
): number {
  console.out(SCRIPTS[shell](outlineOf(program)));
  return 0;
}
