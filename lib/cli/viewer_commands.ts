import type { Command } from "commander";
import type { Console } from "./console.ts";
import type { ViewerParts } from "./viewer.ts";

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
  viewer: ViewerParts,
): void {
  program.command("serve")
    .description("show the stored runs in a browser")
    .option(...STORE)
    .option("--addr <host:port>", "where to listen (default 127.0.0.1:7878)")
    .option("--allow-remote", "let --addr be reachable from other machines")
    .action((options) =>
      start(async (console) => {
        const { serveCommand } = await import("./serve_command.ts");
        return serveCommand(options, console, viewer);
      })
    );
  program.command("report <run>")
    .description("write a stored run as one HTML file")
    .requiredOption("--html <file>", "where to write it")
    .option(...STORE)
    .option("--force", "write over a file that is there")
    .action((run: string, options) =>
      start(async (console) => {
        const { reportCommand } = await import("./report_command.ts");
        return reportCommand(run, options, console, viewer);
      })
    );
}
