import { Command, CommanderError, Option } from "commander";
import { buildIdentity } from "../lib/base/values/build.ts";
import {
  type ColorChoice,
  type Console,
  systemConsole,
} from "./terminal/console.ts";
import { addRun } from "./run/run_flags.ts";
import { modeOption, withTarget } from "./options/shared_options.ts";
import { addKubernetes } from "./kubernetes/kubernetes_flags.ts";
import { addMerge } from "./shards/merge_flags.ts";
import { failWith } from "./terminal/fail.ts";
import { percentOption } from "./options/percent.ts";
import { addJudging } from "./judge/judging_commands.ts";
import { addSetUp } from "./set_up_commands.ts";
import { tellUsageErrors } from "./terminal/usage_error.ts";
import { addImport } from "./import/import_commands.ts";
import { wholeNumber } from "./options/whole_number.ts";
import { addViewer } from "./view/viewer_commands.ts";

const EXAMPLES = `
Examples:
  bench demo                                    see it work, end to end
  bench validate flows/checkout.bench.yaml      every error, nothing sent
  bench run flows/checkout.bench.yaml --target staging

Exit codes:
  0 passed   1 verdict failed   2 refused before the first request
  3 could not finish   129, 130, 143 interrupted, results saved
`;

/**
 * Runs the program. Each command's code is loaded only when it is called, so
 * that `--version` and usage errors print at once.
 *
 * @returns the exit code
 */
export async function main(args: readonly string[]): Promise<number> {
  let code = 0;
  const program = describe((run) => async (console) => {
    code = await run(console);
  });
  try {
    await program.parseAsync(ownArguments(args), { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return failWith(error, systemConsole("auto"), "text");
  }
}

/** `deno task demo -- --stress` hands its own `--` on. */
function ownArguments(args: readonly string[]): string[] {
  return args[0] === "demo" && args[1] === "--"
    ? ["demo", ...args.slice(2)]
    : [...args];
}

type Body = (console: Console) => Promise<number>;
type Bind = (body: Body) => (console: Console) => Promise<void>;

function describe(bind: Bind): Command {
  const program = new Command("bench")
    .description(
      "Runs a scripted flow of requests: a functional check, then a load test.",
    )
    .version(
      buildIdentity("bench"),
      "-V, --version",
      "print the version, the commit and how it was built",
    )
    .exitOverride()
    .showSuggestionAfterError()
    .addOption(
      new Option("--color <when>", "colour in the output")
        .choices(["auto", "always", "never"]).default("auto"),
    )
    .addHelpText("after", EXAMPLES);
  const start = (body: Body) => {
    const { color } = program.opts<{ color: ColorChoice }>();
    return bind(body)(systemConsole(color));
  };
  addRun(program, start);
  addChecks(program, start);
  addJudging(program, start);
  addViewer(program, start);
  addMerge(program, start);
  addKubernetes(program, start);
  addRpc(program, start);
  addDemo(program, start);
  addImport(program, start);
  addSetUp(program, start);
  tellUsageErrors(program, systemConsole("auto"));
  return program;
}

type Start = (body: Body) => Promise<void>;

function addChecks(program: Command, start: Start): void {
  const format = () =>
    new Option("--diagnostics <form>", "how diagnostics are printed")
      .choices(["text", "json"]).default("text");
  program.command("validate <flow>")
    .description("run every check there is before a run; sends nothing")
    .option("--target <name|file>", "also check against this target")
    .addOption(modeOption())
    .addOption(format())
    .action((flow: string, options) =>
      start(async (console) => {
        const { validateCommand } = await import("./flow/validate_command.ts");
        return validateCommand(flow, options, console);
      })
    );
  withTarget(
    program.command("plan <flow>").addOption(modeOption()).description(
      "show what a run would do: hosts, VUs, requests, rows, secrets",
    ),
  )
    .option("--json", "print the plan as JSON")
    .action((flow: string, options) =>
      start(async (console) => {
        const { planCommand } = await import("./flow/plan_command.ts");
        return planCommand(flow, options, console);
      })
    );
  program.command("compile <flow>")
    .description("print the canonical IR (RFC 8785), no newline added")
    .addOption(format())
    .action((flow: string, options) =>
      start(async (console) => {
        const { compileCommand } = await import("./flow/compile_command.ts");
        return compileCommand(flow, options, console);
      })
    );
}

function addRpc(program: Command, start: Start): void {
  program.command("rpc")
    .description(
      "serve JSON-RPC 2.0 requests on standard input, for programs (docs/rpc.md)",
    )
    .action(() =>
      start(async (console) => {
        const { rpcCommand } = await import("./rpc/rpc_command.ts");
        return rpcCommand(console);
      })
    );
  program.command("lsp")
    .description("be the language server of an editor (docs/editor.md)")
    .option("--stdio", "what some editors add; it is the only way there is")
    .action(() =>
      start(async () => {
        const { lspCommand } = await import("./lsp/lsp_command.ts");
        return lspCommand();
      })
    );
}

function addDemo(program: Command, start: Start): void {
  program.command("demo")
    .description(
      "start an embedded target on loopback and run the example flow against it",
    )
    .option("--serve", "only serve the target, until interrupted")
    .addOption(
      new Option("--stress", "break the target in three ways and say why")
        .conflicts("serve"),
    )
    .option(
      "--slower <percent>",
      "with --serve: HTTP responses take longer by this share",
      percentOption,
    )
    .option(
      "--port <number>",
      "port of the target with --serve",
      wholeNumber(0, 65535),
      7800,
    )
    .option("--store <dir>", "run store (default $BENCH_STORE or .bench/runs)")
    .action((options) =>
      start(async (console) => {
        const { demoCommand } = await import("./demo/demo_command.ts");
        return demoCommand(options, console);
      })
    );
}
