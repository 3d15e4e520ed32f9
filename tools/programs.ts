/** One of the two binaries. */
export interface ProgramPlan {
  readonly name: "bench" | "bench-agent";
  /** Entry modules; the first one is run, the others are workers. */
  readonly entries: readonly string[];
  /** Folders it reads at run time, copied beside the bundle. */
  readonly folders: readonly string[];
  /** Where modules find those folders, and where they find them in the bundle. */
  readonly moved: Readonly<Record<string, string>>;
}

/**
 * Deno lets a program open /proc and /dev only when it may do everything: one
 * permission less, and neither the agent nor `demo --stress` can see the machine.
 * docs/decisions/020-permissions-of-the-binaries.md
 */
export const PERMISSIONS = "--allow-all";

/** A start loads what it runs, not what it might: modules that are imported by a call are read at the call. */
export const START_FLAGS = "--unstable-lazy-dynamic-imports";

/**
 * V8 keeps the heap small at the price of a few more collections, and marks it in one
 * go: in steps it takes five times as long, and no response is read between them.
 */
export const V8_FLAGS =
  "--v8-flags=--heap-growing-percent=20,--no-incremental-marking";

/** The main thread serves thousands of connections evenly: lib/base/process/socket_turns.ts */
export const START_VARIABLES = "DENO_TOKIO_MAX_IO_EVENTS_PER_TICK=64";

const BENCH: ProgramPlan = {
  name: "bench",
  entries: [
    "main.ts",
    "lib/engine/workers/worker.ts",
    "lib/base/time/timer_worker.ts",
    "cli/demo/burn_worker.ts",
    "cli/view/viewer_worker.ts",
  ],
  folders: ["examples", "sdk/bench_sdk"],
  moved: {
    "../../examples/": "./examples/",
    '"../../sdk/"': '"./sdk/"',
  },
};

const AGENT: ProgramPlan = {
  name: "bench-agent",
  entries: ["agent/main.ts"],
  folders: [],
  moved: {},
};

export const PROGRAMS: readonly ProgramPlan[] = [BENCH, AGENT];

/** The machines there are binaries for, as triples of `deno compile`. */
export const TARGETS: readonly string[] = [
  "x86_64-unknown-linux-gnu",
  "aarch64-unknown-linux-gnu",
  "x86_64-apple-darwin",
  "aarch64-apple-darwin",
  "x86_64-pc-windows-msvc",
];

/** Host sampling is Linux-only, but only Windows has no use for the agent at all. */
export function isBuiltFor({ name }: ProgramPlan, target: string): boolean {
  return name !== "bench-agent" || !target.includes("windows");
}
