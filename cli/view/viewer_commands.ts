import { type Command, Option } from "commander";
import type { Console } from "../terminal/console.ts";
import { REPORT_FORMATS } from "./report_formats.ts";

const STORE = [
  "--store <dir>",
  "run store (default $BENCH_STORE or .bench/runs)",
] as const;

/**
 * Adds `serve` and `report`.
 *
 * @param start runs a command's body with the console it writes to
 */
export function addViewer(
  program: Command,
  start: (body: (console: Console) => Promise<number>) => Promise<void>,
): void {
  program.command("serve")
    .description("show the stored runs in a browser")
    .option(...STORE)
    .option("--addr <host:port>", "where to listen (default 127.0.0.1:7878)")
    .option("--allow-remote", "let --addr be reachable from other machines")
    .action((options) =>
      start(async (console) => {
        const { serveCommand } = await import("./serve_command.ts");
        return serveCommand(options, console);
      })
    );
  program.command("report <run>")
    .description(
      "write a stored run as one file, for people or for other tools",
    )
    .addOption(
      new Option("--format <format>", "default: what the file's ending says")
        .choices(Object.keys(REPORT_FORMATS)),
    )
    .option("-o, --output <file>", "where to write it (default: stdout)")
    .addOption(
      new Option("--html <file>", "short for --format html -o <file>")
        .conflicts(["format", "output"]),
    )
    .option("--baseline <run>", "html: compare with this run of the same store")
    .option("--no-payloads", "html, har: leave out bodies and frames")
    .option(...STORE)
    .option("--force", "write over a file that is there")
    .action((run: string, options) =>
      start(async (console) => {
        const { reportCommand } = await import("./report_command.ts");
        return reportCommand(run, options, console);
      })
    );
}
