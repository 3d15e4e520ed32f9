import type { Command } from "commander";
import type { Console } from "./console.ts";
import { percentOption } from "./percent.ts";

type Start = (body: (console: Console) => Promise<number>) => Promise<void>;

/**
 * Adds the commands that say whether a target got better, and what it can take.
 *
 * @param start runs a command's body with the console it writes to
 */
export function addJudging(program: Command, start: Start): void {
  addCompare(program, start);
}

function addCompare(program: Command, start: Start): void {
  const needed = "--with <run...>";
  withReports(
    program.command("compare <run>")
      .description(
        "say whether a stored load run is better or worse than others",
      )
      .option(needed, "the runs to compare with, one or more (required)")
      .option(
        "--margin <percent>",
        "smaller changes are none",
        percentOption,
        0.05,
      )
      .option("--across-targets", "the runs may be against different targets")
      .option(
        "--store <dir>",
        "run store (default $BENCH_STORE or .bench/runs)",
      ),
  )
    .hook("preAction", (_, action) => {
      if (action.opts()["with"] !== undefined) return;
      action.error(`error: required option '${needed}' not specified`);
    })
    .action((run: string, options) =>
      start(async (console) => {
        const { compareCommand } = await import("./compare_command.ts");
        return compareCommand(run, options, console);
      })
    );
}

function withReports(command: Command): Command {
  return command
    .option("--junit <file>", "also write the result as JUnit XML")
    .option("--report-md <file>", "also write the result as Markdown")
    .option("--json", "print the result as JSON");
}
