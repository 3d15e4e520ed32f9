import { hostMetrics } from "../../agent/metrics.ts";
import { startAgent } from "../../agent/server.ts";
import { startDemoTarget } from "./server.ts";
import { EXIT } from "../../lib/base/errors/bench_error.ts";
import { exitCodeOf } from "../../lib/results/report/exit_code.ts";
import type { Knee } from "../../lib/model/result/run.ts";
import { LOOPBACK } from "../options/listen_address.ts";
import type { Console } from "../terminal/console.ts";
import { examplePath, runExample } from "./demo_flows.ts";

/**
 * The flows, and what their knees are on a machine with nothing else to do. The
 * quiet ones come first: a busy minute shows in the load average of the next.
 */
const FLOWS: readonly (readonly [file: string, expected: Knee["class"]])[] = [
  ["stress/rate_limited.bench.yaml", "throttled"],
  ["stress/slow_lock.bench.yaml", "inconclusive"],
  ["stress/cpu_bound.bench.yaml", "degraded"],
];

/**
 * `bench demo --stress`: breaks the embedded target in three ways, with an agent
 * attached. The runs are meant to fail; the exit code is 0 when each of them
 * found its knee.
 */
export async function stressDemo(
  flags: { readonly store?: string },
  console: Console,
): Promise<number> {
  const target = await startDemoTarget({ port: 0, hostname: LOOPBACK });
  const agent = startAgent(
    { hostname: LOOPBACK, port: 0 },
    hostMetrics({ proc: "/proc" }),
  );
  try {
    console.err(
      `demo target: ${target.url}, agent: ${agent.listening}; about 40 seconds\n`,
    );
    const lines: string[] = [];
    let worst: number = EXIT.held;
    for (const [name, expected] of FLOWS) {
      const file = examplePath(name);
      console.err(`\n# ${file}\n\n`);
      const yaml =
        `name: demo\nbase_urls: [${target.url}]\nagent_addr: ${agent.listening}\n`;
      const meta = await runExample(file, yaml, flags, console);
      // An interrupt, or a store that is full, ends the demo as well.
      const code = exitCodeOf(meta);
      if (code > EXIT.verdictFailed) return code;
      const found = meta.knee?.class ?? "no knee";
      lines.push(
        `  ${meta.flow.padEnd(14)}${found}${
          found === expected ? "" : ` (${expected} on a quiet machine)`
        }\n`,
      );
      if (meta.knee === null) worst = EXIT.verdictFailed;
    }
    console.err(
      "\nThe runs were meant to break; why they did is in their knee_point_found lines:\n" +
        lines.join(""),
    );
    return worst;
  } finally {
    await agent.close();
    await target.close();
  }
}
