import { Argument } from "commander";
import { DEMO } from "./demo/demo_options.ts";
import { PLAN, VALIDATE } from "./flow/flow_options.ts";
import { IMPORT, IMPORT_SOURCES } from "./import/import_options.ts";
import { CAPACITY, COMPARE, DUEL, REPLAY } from "./judge/judging_options.ts";
import { KUBERNETES } from "./kubernetes/kubernetes_options.ts";
import type { CommandSpec } from "./options/command.ts";
import { toggle } from "./options/option.ts";
import { DIAGNOSTICS } from "./options/shared_options.ts";
import { MCP } from "./mcp/mcp_options.ts";
import { RUN } from "./run/run_options.ts";
import { MERGE } from "./shards/shard_options.ts";
import { REPORT, RUNS, SERVE } from "./view/view_options.ts";

/** Every command, in the order of `--help`. */
export const COMMANDS: readonly CommandSpec[] = [
  {
    usage: "run <flow...>",
    about: "run a flow, or check several; print the summary, write the store",
    options: RUN,
    load: async () => (await import("./run/run_command.ts")).runCommand,
  },
  {
    usage: "validate <flow>",
    about: "run every check there is before a run; sends nothing",
    options: VALIDATE,
    load: async () => (await import("./flow/flow_commands.ts")).validateCommand,
  },
  {
    usage: "plan <flow>",
    about: "show what a run would do: hosts, VUs, requests, rows, secrets",
    options: PLAN,
    load: async () => (await import("./flow/plan_command.ts")).planCommand,
  },
  {
    usage: "compile <flow>",
    about: "print the canonical IR (RFC 8785), no newline added",
    options: DIAGNOSTICS,
    load: async () => (await import("./flow/flow_commands.ts")).compileCommand,
  },
  {
    usage: "compare <run>",
    about: "say whether a stored load run is better or worse than others",
    options: COMPARE,
    load: async () => (await import("./judge/compare.ts")).compareCommand,
  },
  {
    usage: "duel <flow>",
    about: "run a flow against two targets at once, and compare them",
    options: DUEL,
    load: async () => (await import("./judge/duel.ts")).duelCommand,
  },
  {
    usage: "capacity <flow>",
    about: "find the highest load at which the thresholds hold",
    options: CAPACITY,
    load: async () =>
      (await import("./judge/capacity_command.ts")).capacityCommand,
  },
  {
    usage: "replay <run> [trace]",
    about: "carry one stored iteration out once more, and show what differs",
    options: REPLAY,
    load: async () => (await import("./judge/replay.ts")).replayCommand,
  },
  {
    usage: "serve",
    about: "show the stored runs in a browser",
    options: SERVE,
    load: async () => (await import("./view/serve_command.ts")).serveCommand,
  },
  {
    usage: "runs",
    about: "list the stored runs, the newest first",
    options: RUNS,
    load: async () => (await import("./view/runs_command.ts")).runsCommand,
  },
  {
    usage: "report <run>",
    about: "write a stored run as one file, for people or for other tools",
    options: REPORT,
    load: async () => (await import("./view/report_command.ts")).reportCommand,
  },
  {
    usage: "merge <run...>",
    about: "join what shards recorded that lost their lead into one run",
    options: MERGE,
    load: async () => (await import("./shards/merge_command.ts")).mergeCommand,
  },
  {
    usage: "kubernetes <flow>",
    about: "print manifests for a run of several pods",
    options: KUBERNETES,
    load: async () =>
      (await import("./kubernetes/kubernetes_command.ts")).kubernetesCommand,
  },
  {
    usage: "rpc",
    about:
      "serve JSON-RPC 2.0 requests on standard input, for programs (docs/rpc.md)",
    load: async () => (await import("./rpc/session.ts")).rpcCommand,
  },
  {
    usage: "mcp",
    about:
      "serve an AI agent on standard input: check, run and read flows of a folder (docs/agents.md)",
    arguments: [
      new Argument("[folder]", "the only one it may use").default("."),
    ],
    options: MCP,
    load: async () => (await import("./mcp/mcp_command.ts")).mcpCommand,
  },
  {
    usage: "lsp",
    about: "be the language server of an editor (docs/editor.md)",
    options: {
      stdio: toggle("what some editors add; it is the only way there is"),
    },
    load: async () => (await import("./lsp/lsp_command.ts")).lspCommand,
  },
  {
    usage: "demo",
    about:
      "start an embedded target on loopback and run the example flow against it",
    options: DEMO,
    load: async () => (await import("./demo/demo_command.ts")).demoCommand,
  },
  {
    usage: "import",
    about:
      "make flows of what you have: curl commands, a recorded journey, an OpenAPI file",
    arguments: [
      oneOf("<from>", "what it is made from", IMPORT_SOURCES),
      new Argument(
        "[source...]",
        "curl: the command line, or - for standard input; har: one recording or two of the same journey; openapi, postman: the file",
      ),
    ],
    options: IMPORT,
    load: async () =>
      (await import("./import/import_command.ts")).importCommand,
  },
  {
    usage: "init",
    about: "write a first flow, target and fixture, with comments",
    arguments: [new Argument("[dir]", "where to").default(".")],
    load: async () => (await import("./flow/init_command.ts")).initCommand,
  },
  {
    usage: "schema",
    about: "print the JSON Schema of flow or target files, for editors",
    arguments: [oneOf("<of>", "what kind of file", ["flow", "target"])],
    load: async () => (await import("./flow/flow_commands.ts")).schemaCommand,
  },
  {
    usage: "completions",
    about: "print a script that completes commands and flags in a shell",
    arguments: [oneOf("<shell>", "which shell", ["bash", "zsh", "fish"])],
    load: async () =>
      (await import("./completions/completions_command.ts")).completionsCommand,
  },
];

function oneOf(
  name: string,
  about: string,
  words: readonly string[],
): Argument {
  return new Argument(name, about).choices(words);
}
