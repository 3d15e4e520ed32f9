import type { Command } from "commander";
import { bashScript } from "./completions/bash.ts";
import { fishScript } from "./completions/fish.ts";
import { outlineOf, type ProgramOutline } from "./completions/outline.ts";
import { zshScript } from "./completions/zsh.ts";
import type { Console } from "./console.ts";

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
