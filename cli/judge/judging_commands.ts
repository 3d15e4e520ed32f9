import { type Command, InvalidArgumentError } from "commander";
import type { Console } from "../terminal/console.ts";
import { durationOption } from "../options/duration_option.ts";
import {
  httpOption,
  repeated,
  withTarget,
  withTls,
} from "../options/shared_options.ts";
import { wholeNumber } from "../options/whole_number.ts";
import { percentOption } from "../options/percent.ts";

type Start = (body: (console: Console) => Promise<number>) => Promise<void>;

/**
 * Adds the commands that say whether a target got better, and what it can take.
 *
 * @param start runs a command's body with the console it writes to
 */
export function addJudging(program: Command, start: Start): void {
  addCompare(program, start);
  addDuel(program, start);
  addCapacity(program, start);
  addReplay(program, start);
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
        "smaller changes do not count",
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

function addDuel(program: Command, start: Start): void {
  const needed = "--against <name|file>";
  withTls(withReports(
    withTarget(
      program.command("duel <flow>")
        .description(
          "run a flow against two targets at once, and compare them",
        ),
    )
      .option(needed, "the other target, which is judged (required)")
      .option(
        "--for <duration>",
        "how long both are under load",
        durationOption("10s"),
        60_000_000,
      )
      .option("--vus <n>", "VUs of each side", wholeNumber(1, 100_000))
      .option(
        "--margin <percent>",
        "changes that surely are smaller do not count",
        percentOption,
        0.02,
      )
      .option("--seed <integer>", "seed", wholeNumber(0, 0xffffffff), 1)
      .option("--workers <n>", "threads of each side", wholeNumber(1, 256), 1)
      .addOption(httpOption())
      .option(
        "--store <dir>",
        "run store (default $BENCH_STORE or .bench/runs)",
      )
      .option("-q, --quiet", "no progress"),
  ))
    .hook("preAction", (_, action) => {
      if (action.opts()["against"] !== undefined) return;
      action.error(`error: required option '${needed}' not specified`);
    })
    .action((flow: string, options) =>
      start(async (console) => {
        const { duelCommand } = await import("./duel_command.ts");
        return duelCommand(flow, options, console);
      })
    );
}

function addCapacity(program: Command, start: Start): void {
  withTls(withReports(
    withTarget(
      program.command("capacity <flow>")
        .description("find the highest load at which the thresholds hold"),
    )
      .option("--vus", "search by VUs, not by requests a second")
      .option("--from <number>", "the first level", positive)
      .option("--most <number>", "no level above it is tried", positive)
      .option(
        "--precision <percent>",
        "the bounds lie no further apart",
        percentOption,
        0.05,
      )
      .option(
        "--trial <duration>",
        "how long a bound is measured",
        durationOption("2s"),
        10_000_000,
      )
      .option(
        "--cool-down <duration>",
        "pause between trials, twice after a breach",
        durationOption("0s"),
        1_000_000,
      )
      .option(
        "--threshold <threshold>",
        "one more threshold; may be repeated",
        repeated,
      )
      .option("--seed <integer>", "seed", wholeNumber(0, 0xffffffff), 1)
      .option("--workers <n>", "threads", wholeNumber(1, 256))
      .addOption(httpOption())
      .option(
        "--store <dir>",
        "run store (default $BENCH_STORE or .bench/runs)",
      )
      .option("-q, --quiet", "no progress"),
  )).action((flow: string, options) =>
    start(async (console) => {
      const { capacityCommand } = await import("./capacity_command.ts");
      return capacityCommand(flow, options, console);
    })
  );
}

function addReplay(program: Command, start: Start): void {
  withTls(
    program.command("replay <run> [trace]")
      .description(
        "carry one stored iteration out once more, and show what differs",
      )
      .option(
        "--target <name|file>",
        "another target than the run's",
      )
      .addOption(httpOption())
      .option(
        "--store <dir>",
        "run store (default $BENCH_STORE or .bench/runs)",
      )
      .option("--json", "print both iterations as JSON"),
  ).action((run: string, trace: string | undefined, options) =>
    start(async (console) => {
      const { replayCommand } = await import("./replay_command.ts");
      return replayCommand(run, trace, options, console);
    })
  );
}

/** A number above 0, or a usage error. */
function positive(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError(
    `It must be a number above 0, but it is ${JSON.stringify(text)}.`,
  );
}

function withReports(command: Command): Command {
  return command
    .option("--junit <file>", "also write the result as JUnit XML")
    .option("--report-md <file>", "also write the result as Markdown")
    .option("--json", "print the result as JSON");
}
