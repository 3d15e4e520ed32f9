import type { Command } from "commander";
import type { Console } from "../terminal/console.ts";
import { wholeNumber } from "../options/whole_number.ts";

type Start = (body: (console: Console) => Promise<number>) => Promise<void>;

/** Adds `merge`. */
export function addMerge(program: Command, start: Start): void {
  program.command("merge <run...>")
    .description("join what shards recorded that lost their lead into one run")
    .option(
      "--tolerate-lost <k>",
      "how many shards may be missing or lost",
      wholeNumber(0, 9_999),
      0,
    )
    .option("--store <dir>", "run store (default $BENCH_STORE or .bench/runs)")
    .option("--json", "print the run's meta.json")
    .action((runs: string[], options) =>
      start(async (console) => {
        const { mergeCommand } = await import("./merge_command.ts");
        return mergeCommand(runs, options, console);
      })
    );
}
