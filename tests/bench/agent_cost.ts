import { AgentScraper } from "../../lib/results/samples/agent_scraper.ts";
import { systemClock } from "../../lib/base/time/clock.ts";
import { startLiveAgent } from "../support/live_agent.ts";
import type { Figure } from "./figure.ts";

/** What the agent itself takes, at one scrape a second for so long. */
export async function measureAgent(seconds: number): Promise<Figure[]> {
  await using agent = await startLiveAgent();
  const scraper = new AgentScraper(agent.addr, undefined, systemClock);
  // The first responses compile the code that gives them.
  for (let n = 0; n < 20; n++) await scraper.scrape();
  const before = cpuSeconds(agent.pid);
  for (let n = 0; n < seconds; n++) {
    await scraper.scrape();
    await systemClock.sleep(1_000);
  }
  const used = cpuSeconds(agent.pid) - before;
  const status = Deno.readTextFileSync(`/proc/${agent.pid}/status`);
  const kb = Number(/VmRSS:\s*(\d+)/.exec(status)?.[1]);
  await scraper.close();
  return [
    {
      name: "agent at one scrape a second",
      value: used / seconds * 100,
      unit: "% of a core",
      expected: { op: "<=", limit: 0.5 },
    },
    { name: "agent's memory", value: kb / 1_024, unit: "MB" },
  ];
}

/** User and system time of a process, in steps of 10 ms (proc_pid_stat(5)). */
function cpuSeconds(pid: number): number {
  const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
  // The name, in brackets, may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
