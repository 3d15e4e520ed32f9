import { type Command, Option } from "commander";
import { ARRIVALS } from "../../lib/engine/plan/arrival_pattern.ts";
import { withShards } from "../shards/shard_flags.ts";
import {
  httpOption,
  modeOption,
  repeated,
  withTarget,
  withTls,
} from "../options/shared_options.ts";
import { wholeNumber } from "../options/whole_number.ts";
import type { Console } from "../terminal/console.ts";

type Start = (body: (console: Console) => Promise<number>) => Promise<void>;

/** Adds `run`. */
export function addRun(program: Command, start: Start): void {
  withShards(withTls(
    withNetwork(withTarget(
      program.command("run <flow>").addOption(modeOption())
        .description("run a flow, print the summary, write the run directory"),
    ))
      .option(
        "--seed <integer>",
        "seed of everything random",
        wholeNumber(0, 0xffffffff),
        1,
      )
      .option(
        "--store <dir>",
        "run store (default $BENCH_STORE or .bench/runs)",
      )
      .option(
        "--workers <n>",
        "threads of a load run (default: one per core)",
        wholeNumber(1, 256),
      )
      .addOption(httpOption())
      .option(
        "--threshold <threshold>",
        'one more threshold, such as "login: p95(latency) < 200ms"; may be repeated',
        repeated,
      )
      .option(
        "--stop-on-breach",
        "end a load run once a threshold is surely broken",
      )
      .option(
        "--until <goal>",
        'end a load run once a percentile is so sure: "p99 within 5%"',
      )
      .addOption(
        new Option(
          "--arrivals <pattern>",
          "how the requests of an open loop follow one another",
        ).choices(ARRIVALS).default("constant"),
      )
      .option("--junit <file>", "also write the result as JUnit XML")
      .option("--report-md <file>", "also write the result as Markdown")
      .option("--json", "print meta.json instead of the summary")
      .option("--open", "show the run in a browser while it goes on")
      .option("-q, --quiet", "no progress"),
  )).action((flow: string, options) =>
    start(async (console) => {
      const { runCommand } = await import("./run_command.ts");
      return runCommand(flow, options, console);
    })
  );
}

function withNetwork(command: Command): Command {
  return command
    .option(
      "--traceparent",
      "send the trace of each request (W3C Trace Context)",
    )
    .option(
      "--resolve <host:port:address>",
      "connect there instead of looking the host up; may be repeated",
      repeated,
    )
    .option(
      "--metrics <host:port>",
      "offer the figures to Prometheus there while the run lasts",
    )
    .option("--proxy <url>", "tunnel every connection through an HTTP proxy");
}
