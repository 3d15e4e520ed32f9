import { runK6 } from "./k6_run.ts";
import { processCost } from "./process_cost.ts";
import { onPath } from "../support/tools.ts";
import type { ToolRun } from "./tool_run.ts";

interface Rival {
  readonly tool: string;
  args(url: string, vus: number, seconds: number): string[];
  requests(stdout: string): number;
}

/** They look at nothing but the status; `k6` makes the same two checks as `bench`. */
const RIVALS: readonly Rival[] = [
  {
    tool: "wrk",
    args: (url, vus, seconds) => ["-t1", `-c${vus}`, `-d${seconds}s`, url],
    requests: (stdout) => Number(/(\d+) requests in/.exec(stdout)?.[1]),
  },
  {
    tool: "hey",
    args: (url, vus, seconds) => ["-z", `${seconds}s`, "-c", `${vus}`, url],
    // It lists no more than a million responses.
    requests: (stdout) =>
      Math.round(
        Number(/Total:\s+([\d.]+) secs/.exec(stdout)?.[1]) *
          Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
      ),
  },
];

/** Runs every rival that is installed, one after the other, on core 1. */
export async function runRivals(
  url: string,
  vus: number,
  seconds: number,
): Promise<ToolRun[]> {
  const runs: ToolRun[] = [];
  for (const { tool, args, requests } of RIVALS) {
    if (!onPath(tool)) continue;
    const cost = await processCost(
      [tool, ...args(url, vus, seconds)],
      { core: 1, limitSeconds: seconds + 20 },
    );
    runs.push({ tool, count: requests(cost.stdout), ...cost });
  }
  const k6 = await runK6({
    script: k6Script(url, vus, seconds),
    counter: "http_reqs",
    seconds,
  });
  if (k6) runs.push(k6);
  return runs;
}

function k6Script(url: string, vus: number, seconds: number): string {
  return `
import http from "k6/http";
import { check } from "k6";
export const options = {
  vus: ${vus}, duration: "${seconds}s", insecureSkipTLSVerify: true,
};
export default function () {
  check(http.get("${url}/"), {
    status: (response) => response.status === 200,
    id: (response) => response.json("id") === 42,
  });
}
`;
}
