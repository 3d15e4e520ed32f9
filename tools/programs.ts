import { BuildError } from "./command.ts";

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
 * V8 compiles whole modules, so that the runtime's cache of code has all functions and not
 * those alone that a module calls as it is loaded; the code that was not used for 10 s goes
 * again (docs/decisions/109-all-functions-are-in-the-cache.md).
 * It keeps the heap small at the price of a few more collections (see
 * docs/decisions/079-what-memory-is.md), and marks it in one go: in steps it takes
 * five times as long, and no response is read between them. It makes no object in the
 * old space because others of its kind lived long: see
 * docs/decisions/052-young-objects.md. What its middle compiler took for a function is
 * given back as soon as the code is there, not by its thread after all others (079). Its
 * last compiler, whose threads may hold up those of a run, takes what is called often
 * alone (089-turbofan-later.md). A rehearsal ends with a collection, so that the run does
 * not begin with one (080-rehearsal.md).
 */
export const V8_FLAGS =
  "--v8-flags=--no-lazy,--bytecode-old-time=10,--heap-growing-percent=40,--min-semi-space-size=4,--max-semi-space-size=4,--no-incremental-marking,--no-allocation-site-pretenuring,--no-maglev-destroy-on-background,--invocation-count-for-turbofan=50000,--expose-gc";

const BENCH: ProgramPlan = {
  name: "bench",
  entries: [
    "main.ts",
    "lib/engine/workers/worker.ts",
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

/** The names of other packagers for a machine. */
interface Machine {
  /**
   * Platform tag of its wheel (PyPA, platform compatibility tags). Deno asks for
   * glibc 2.27 and macOS 11.
   */
  readonly wheel: string;
  /** The npm package of `@deno` for it. */
  readonly deno?: string;
}

/** The machines there are binaries for, by triple of `deno compile`. */
export const MACHINES: Readonly<Record<string, Machine>> = {
  "x86_64-unknown-linux-gnu": {
    wheel: "manylinux_2_27_x86_64",
    deno: "linux-x64-glibc",
  },
  "aarch64-unknown-linux-gnu": {
    wheel: "manylinux_2_27_aarch64",
    deno: "linux-arm64-glibc",
  },
  "x86_64-apple-darwin": { wheel: "macosx_11_0_x86_64", deno: "darwin-x64" },
  "aarch64-apple-darwin": { wheel: "macosx_11_0_arm64", deno: "darwin-arm64" },
  "x86_64-pc-windows-msvc": { wheel: "win_amd64" },
};

export const TARGETS: readonly string[] = Object.keys(MACHINES);

/** @throws {BuildError} when there is no such target */
export function checkTarget(target: string): void {
  if (TARGETS.includes(target)) return;
  throw new BuildError(
    `there is no target \`${target}\`\n  = one of: ${TARGETS.join(", ")}`,
  );
}

/** A program's file on the machine it is for. */
export function fileOf(name: ProgramPlan["name"], target: string): string {
  return target.includes("windows") ? `${name}.exe` : name;
}

/** A program that was not built into `folder`. */
export function notBuilt(
  path: string,
  error: unknown,
  target: string,
  folder: string,
): BuildError {
  return new BuildError(
    `Cannot read ${path}: ${(error as Error).message}
  = build it with deno task compile --target ${target} --out ${folder}`,
  );
}

/** Host sampling is Linux-only, but only Windows has no use for the agent at all. */
export function isBuiltFor({ name }: ProgramPlan, target: string): boolean {
  return name !== "bench-agent" || !target.includes("windows");
}
