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

const FLOW_FILE = "a .yaml or .yml file, IR in a .json file";
const FLOW_FORMS = `${FLOW_FILE}, a .py file, or - for IR on standard input`;
const FLOW = new Argument("<flow>", FLOW_FORMS);
const FLOWS = new Argument(
  "<flow...>",
  `${FLOW_FORMS}; several of them, or a folder that has some`,
);
const STORED =
  "the id of a run of the store, `latest`, or the path of a run directory";
const STORED_RUN = new Argument("<run>", STORED);

/** Every command, in the order of `--help`. */
export const COMMANDS: readonly CommandSpec[] = [
  {
    name: "run",
    about: "run a flow, or check several; print the summary, write the store",
    arguments: [FLOWS],
    options: RUN,
    load: async () => (await import("./run/run_command.ts")).runCommand,
  },
  {
    name: "validate",
    about: "run every check there is before a run, of one flow or several",
    arguments: [FLOWS],
    options: VALIDATE,
    load: async () => (await import("./flow/flow_commands.ts")).validateCommand,
  },
  {
    name: "plan",
    about: "show what a run would do: hosts, VUs, requests, rows, variables",
    arguments: [FLOW],
    options: PLAN,
    load: async () => (await import("./flow/plan_command.ts")).planCommand,
  },
  {
    name: "compile",
    about: "print the canonical IR (RFC 8785), no newline added",
    arguments: [FLOW],
    options: DIAGNOSTICS,
    load: async () => (await import("./flow/flow_commands.ts")).compileCommand,
  },
  {
    name: "compare",
    about: "say whether a stored load run is better or worse than others",
    arguments: [STORED_RUN],
    options: COMPARE,
    load: async () => (await import("./judge/compare.ts")).compareCommand,
  },
  {
    name: "duel",
    about: "run a flow against two targets at once, and compare them",
    arguments: [FLOW],
    options: DUEL,
    load: async () => (await import("./judge/duel.ts")).duelCommand,
  },
  {
    name: "capacity",
    about: "find the highest load at which the thresholds hold",
    arguments: [FLOW],
    options: CAPACITY,
    load: async () =>
      (await import("./judge/capacity_command.ts")).capacityCommand,
  },
  {
    name: "replay",
    about: "carry one stored iteration out once more, and show what differs",
    arguments: [
      STORED_RUN,
      new Argument(
        "[trace]",
        "the beginning of its id (default: the first that did not pass)",
      ),
    ],
    options: REPLAY,
    load: async () => (await import("./judge/replay.ts")).replayCommand,
  },
  {
    name: "serve",
    about: "show the stored runs in a browser",
    options: SERVE,
    load: async () => (await import("./view/serve_command.ts")).serveCommand,
  },
  {
    name: "runs",
    about: "list the stored runs, the newest first",
    options: RUNS,
    load: async () => (await import("./view/runs_command.ts")).runsCommand,
  },
  {
    name: "report",
    about: "write a stored run as one file, for people or for other tools",
    arguments: [STORED_RUN],
    options: REPORT,
    load: async () => (await import("./view/report_command.ts")).reportCommand,
  },
  {
    name: "merge",
    about: "join what shards recorded that lost their lead into one run",
    arguments: [new Argument("<run...>", `${STORED}; one for each shard`)],
    options: MERGE,
    load: async () => (await import("./shards/merge_command.ts")).mergeCommand,
  },
  {
    name: "kubernetes",
    about: "print manifests for a run of several pods",
    arguments: [new Argument("<flow>", FLOW_FILE)],
    options: KUBERNETES,
    load: async () =>
      (await import("./kubernetes/kubernetes_command.ts")).kubernetesCommand,
  },
  {
    name: "rpc",
    about:
      "serve JSON-RPC 2.0 requests on standard input, for programs (docs/rpc.md)",
    load: async () => (await import("./rpc/rpc_command.ts")).rpcCommand,
  },
  {
    name: "mcp",
    about:
      "serve an AI agent on standard input: check, run and read flows of a folder (docs/agents.md)",
    arguments: [
      new Argument("[folder]", "the only one it may use").default("."),
    ],
    options: MCP,
    load: async () => (await import("./mcp/mcp_command.ts")).mcpCommand,
  },
  {
    name: "lsp",
    about: "be the language server of an editor (docs/editor.md)",
    options: {
      stdio: toggle("what some editors add; it is the only way there is"),
    },
    load: async () => (await import("./lsp/lsp_command.ts")).lspCommand,
  },
  {
    name: "demo",
    about:
      "start an embedded target on loopback and run example flows against it",
    options: DEMO,
    load: async () => (await import("./demo/demo_command.ts")).demoCommand,
  },
  {
    name: "import",
    about:
      "make flows of what you have: curl commands, a recorded journey, an OpenAPI file, a Postman collection",
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
    name: "init",
    about: "write a first flow, target and fixture, with comments",
    arguments: [new Argument("[dir]", "where to").default(".")],
    load: async () => (await import("./flow/init_command.ts")).initCommand,
  },
  {
    name: "schema",
    about: "print the JSON Schema of flow or target files, for editors",
    arguments: [oneOf("<of>", "what kind of file", ["flow", "target"])],
    load: async () => (await import("./flow/flow_commands.ts")).schemaCommand,
  },
  {
    name: "completions",
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
