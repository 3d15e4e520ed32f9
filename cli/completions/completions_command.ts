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

/** Prints a completion script made from `program`. Returns the exit code. */
export function completionsCommand(
  shell: keyof typeof SCRIPTS,
  _: unknown,
  console: Console,
  program: Command,
): number {
  console.out(SCRIPTS[shell](outlineOf(program)));
  return 0;
}
