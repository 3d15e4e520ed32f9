import { Argument, type Command } from "commander";
import type { Shell } from "./completions/completions_command.ts";
import type { Console } from "./terminal/console.ts";

/**
 * Adds `init`, `schema` and `completions`.
 *
 * @param start runs a command's body with the console it writes to
 */
export function addSetUp(
  program: Command,
  start: (body: (console: Console) => Promise<number>) => Promise<void>,
): void {
  program.command("init")
    .description("write a first flow, target and fixture, with comments")
    .argument("[dir]", "where to", ".")
    .action((directory: string) =>
      start(async (console) => {
        const { initCommand } = await import("./flow/init_command.ts");
        return initCommand(directory, console);
      })
    );
  program.command("schema")
    .description("print the JSON Schema of flow or target files, for editors")
    .addArgument(oneOf("<of>", "what kind of file", ["flow", "target"]))
    .action((of: "flow" | "target") =>
      start(async (console) => {
        const { schemaCommand } = await import("./flow/schema_command.ts");
        return schemaCommand(of, console);
      })
    );
  program.command("completions")
    .description("print a script that completes commands and flags in a shell")
    .addArgument(oneOf("<shell>", "which shell", ["bash", "zsh", "fish"]))
    .action((shell: Shell) =>
      start(async (console) => {
        const { completionsCommand } = await import(
          "./completions/completions_command.ts"
        );
        return completionsCommand(shell, program, console);
      })
    );
}

function oneOf(name: string, about: string, words: string[]): Argument {
  return new Argument(name, about).choices(words);
}
