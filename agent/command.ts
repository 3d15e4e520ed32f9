import { parseArgs } from "node:util";
import { EXIT, Refused } from "../lib/base/errors/bench_error.ts";
import { giveUpAllBut } from "../lib/base/process/give_up.ts";
import { releaseProgramPages } from "../lib/base/process/program_pages.ts";
import { untilStopped } from "../lib/base/process/signals.ts";
import { osReason } from "../lib/base/text/os_reason.ts";
import { buildIdentity, VERSION } from "../lib/base/values/build.ts";
import { readHost } from "../lib/results/samples/host_reading.ts";
import { AddressError, parseListenAddress } from "./address.ts";
import { hostMetrics } from "./metrics.ts";
import { type RunningAgent, startAgent } from "./server.ts";

const HELP = `Usage: bench-agent [--addr <listen_address>]

Serves the resource use of this machine at GET /metrics, for bench to poll.

  --addr <address>   host:port, or :port for every address (default :9090)
  --proc <dir>       where the kernel's files are mounted (default /proc)
  --version          print the version and exit
  --help             print this and exit

BENCH_AGENT_TOKEN, when set, is required as a bearer token.
`;

/** How long responses under way may take when the agent stops. */
const GRACE_MS = 1_000;

const OPTIONS = {
  addr: { type: "string", default: ":9090" },
  proc: { type: "string" },
  version: { type: "boolean", short: "V" },
  help: { type: "boolean", short: "h" },
} as const;

/** `bench-agent`: serves until a signal stops it. Returns the exit code. */
export async function runAgent(args: readonly string[]): Promise<number> {
  // `deno task agent -- --addr :9090` hands its own `--` on.
  const own = args[0] === "--" ? args.slice(1) : args;
  try {
    const { values } = parseArgs({ args: [...own], options: OPTIONS });
    if (values.help) return print(HELP);
    if (values.version) return print(`${buildIdentity("bench-agent")}\n`);
    const token = Deno.env.get("BENCH_AGENT_TOKEN") || undefined;
    if (values.proc !== undefined) checkReadable(values.proc);
    const agent = listen(
      values.addr,
      hostMetrics({
        proc: values.proc ?? "/proc",
        ...(token !== undefined && { token }),
      }),
    );
    // A program that reads the line may send a signal at once.
    const stopped = untilStopped();
    print(
      `bench-agent ${VERSION}: listening on ${agent.listening}, metrics at /metrics, ${
        token === undefined ? "no token" : "token required"
      }\n`,
    );
    releaseProgramPages();
    // It listens and has the kernel's files open: no other permission is needed.
    giveUpAllBut();
    await stopped;
    return await closed(agent);
  } catch (error) {
    return refused(error);
  }
}

/** A folder that a person names has the files from the start. @throws {Refused} when it has none */
function checkReadable(proc: string): void {
  try {
    readHost(Date.now(), proc);
  } catch (error) {
    throw new Refused(`\`--proc\`: ${(error as Error).message}`);
  }
}

function listen(addr: string, handler: ReturnType<typeof hostMetrics>) {
  const address = parseListenAddress(addr);
  try {
    return startAgent(address, handler);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const why = error instanceof Deno.errors.AddrInUse
      ? "the address is in use"
      : error.message;
    throw new AddressError(`Cannot listen on \`${addr}\`: ${why}`);
  }
}

async function closed(agent: RunningAgent): Promise<number> {
  const grace = Promise.withResolvers<void>();
  setTimeout(grace.resolve, GRACE_MS);
  await Promise.race([agent.close(), grace.promise]);
  return 0;
}

/** An error of the user is one line; any other is a bug. */
function refused(error: unknown): number {
  const code = (error as { readonly code?: unknown }).code;
  const usage = error instanceof Refused ||
    (typeof code === "string" && code.startsWith("ERR_PARSE_ARGS"));
  if (!usage) throw error;
  const { message } = error as Error;
  report(`${message}\n  = see bench-agent --help`);
  return EXIT.refused;
}

/** An agent serves on without what it prints. */
function print(text: string): number {
  try {
    Deno.stdout.writeSync(new TextEncoder().encode(text));
    return EXIT.held;
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) return EXIT.held;
    report(`Cannot write to standard output: ${osReason(error)}`);
    return EXIT.errored;
  }
}

function report(message: string): void {
  const text = `bench-agent: error: ${message}\n`;
  Deno.stderr.writeSync(new TextEncoder().encode(text));
}
