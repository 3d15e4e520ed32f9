import { Argument, type Command, Option } from "commander";
import type { Console } from "../terminal/console.ts";
import { wholeNumber } from "../options/whole_number.ts";

/**
 * Adds `import`.
 *
 * @param start runs a command's body with the console it writes to
 */
export function addImport(
  program: Command,
  start: (body: (console: Console) => Promise<number>) => Promise<void>,
): void {
  program.command("import")
    .description(
      "make flows of what you have: curl commands, a recorded journey, an OpenAPI file",
    )
    .addArgument(
      new Argument("<from>", "what it is made from").choices([
        "curl",
        "har",
        "openapi",
      ]),
    )
    .argument(
      "[source...]",
      "curl: the command line, or - for standard input; har: one recording or two of the same journey; openapi: the file",
    )
    .option(
      "--out <dir>",
      "write flow, target and .env.example there (default: print the flow)",
    )
    .addOption(
      new Option(
        "--as <form>",
        "python can take cookies and header fields from responses",
      )
        .choices(["yaml", "python"]).default("yaml"),
    )
    .option(
      "--target <name|file>",
      "run it once against this target, and write it if it passes",
    )
    .option("--name <name>", "of the flow (default: from the host)")
    .option("--tag <tag>", "openapi: only the operations of this tag")
    .option("--vus <n>", "make it a load test of n VUs", wholeNumber(1, 1e6))
    .option("--hold <duration>", "how long the load test is (default 30s)")
    .option("--force", "write over files that are there")
    .action((from: "curl" | "har" | "openapi", source: string[], options) =>
      start(async (console) => {
        const { importCommand } = await import("./import_command.ts");
        return importCommand(from, source, options, console);
      })
    );
}
