import { isLoopback } from "../../lib/base/values/loopback.ts";
import { type DemoTarget, startDemoTarget } from "./server.ts";
import { EXIT, Refused } from "../../lib/base/errors/bench_error.ts";
import { exitCodeOf } from "../../lib/results/report/exit_code.ts";
import { untilStopped } from "../../lib/base/process/signals.ts";
import type { Console } from "../terminal/console.ts";
import { DEMO_FLOWS, examplePath, runExample } from "./demo_flows.ts";
import { listenAddress, LOOPBACK } from "../options/listen_address.ts";
import type { DemoFlags } from "./demo_options.ts";

const DEMO_PORT = 7800;

/**
 * Starts the embedded target and runs the example flows against it; with
 * `--serve` only serves. Returns the exit code.
 */
export async function demoCommand(
  flags: DemoFlags,
  console: Console,
): Promise<number> {
  if (flags.serve) return await serve(flags, console);
  if (flags.stress) {
    const { stressDemo } = await import("./stress_demo.ts");
    return await stressDemo(flags, console);
  }
  const target = await startDemoTarget({ port: 0, hostname: LOOPBACK });
  try {
    return await runExamples(target, flags, console);
  } finally {
    await target.close();
  }
}

async function runExamples(
  target: DemoTarget,
  flags: DemoFlags,
  console: Console,
): Promise<number> {
  console.err(`demo target: ${target.url}\n`);
  let worst = 0;
  for (const { file: name, shows, grpc } of DEMO_FLOWS) {
    const file = examplePath(name);
    const url = grpc ? target.grpcUrl : target.url;
    console.err(`\n# ${shows}: ${file}\n\n`);
    const yaml = `name: demo\nbase_urls: [${url}]\n`;
    const meta = await runExample(file, yaml, flags, console);
    const code = exitCodeOf(meta);
    worst = Math.max(worst, code);
    if (code > EXIT.verdictFailed) break;
  }
  console.err(
    "\nThe run directories above hold everything: meta.json, traces.json, series.json ...\n" +
      "To write a flow of your own against this target:\n" +
      "  bench demo --serve                                  (in another terminal)\n" +
      "  bench init && bench run first.bench.yaml --target demo\n",
  );
  return worst;
}

async function serve(
  { addr = `${LOOPBACK}:${DEMO_PORT}`, slower = 0 }: DemoFlags,
  console: Console,
): Promise<number> {
  let target: DemoTarget;
  try {
    const { hostname, port } = listenAddress(addr);
    if (!isLoopback(hostname)) {
      throw new Refused(
        `\`${hostname}\` may be reached from other machines, and the demo target gives everything away`,
        "name an address of this machine alone, such as 127.0.0.1:7800",
      );
    }
    target = await startDemoTarget({ port, hostname, slower });
  } catch (error) {
    if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    throw new Refused(
      `\`${addr}\`, or the port above it, is taken`,
      "choose another one with --addr",
    );
  }
  const stopped = untilStopped();
  console.print(
    `demo target: ${target.url} and ${target.grpcUrl}  (Ctrl-C to stop)\n`,
  );
  await stopped;
  await target.close();
  return 0;
}
