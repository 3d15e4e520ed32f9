import { join } from "node:path";
import { onPath, processCost } from "./process_cost.ts";

/** What a tool did against the same target, and what that cost it. */
export interface ToolRun {
  readonly tool: string;
  readonly requests: number;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly peakRssMb: number;
}

interface Rival {
  readonly tool: string;
  args(url: string, vus: number, seconds: number, place: string): string[];
  requests(stdout: string, place: string): number;
}

/** `wrk` and `hey` look at nothing; `k6` makes the same two checks as `bench`. */
const RIVALS: readonly Rival[] = [
  {
    tool: "wrk",
    args: (url, vus, seconds) => ["-t1", `-c${vus}`, `-d${seconds}s`, url],
    requests: (stdout) => Number(/(\d+) requests in/.exec(stdout)?.[1]),
  },
  {
    tool: "hey",
    args: (url, vus, seconds) => ["-z", `${seconds}s`, "-c", `${vus}`, url],
    requests: (stdout) => Number(/\[200\]\s+(\d+) responses/.exec(stdout)?.[1]),
  },
  {
    tool: "k6",
    args(url, vus, seconds, place) {
      const script = join(place, "script.js");
      Deno.writeTextFileSync(script, k6Script(url, vus, seconds));
      const summary = join(place, "summary.json");
      return ["run", "--quiet", "--summary-export", summary, script];
    },
    requests(_, place) {
      const text = Deno.readTextFileSync(join(place, "summary.json"));
      const summary = JSON.parse(text) as {
        metrics: { http_reqs: { count: number } };
      };
      return summary.metrics.http_reqs.count;
    },
  },
];

/** Runs every rival that is installed, one after the other, on core 1. */
export async function runRivals(
  url: string,
  vus: number,
  seconds: number,
): Promise<ToolRun[]> {
  const runs: ToolRun[] = [];
  for (const rival of RIVALS.filter(({ tool }) => onPath(tool))) {
    const place = await Deno.makeTempDir({ prefix: "bench-rival-" });
    try {
      const cost = await processCost(
        [rival.tool, ...rival.args(url, vus, seconds, place)],
        { core: 1, limitSeconds: seconds + 20 },
      );
      const requests = rival.requests(cost.stdout, place);
      runs.push({ tool: rival.tool, requests, ...cost });
    } finally {
      await Deno.remove(place, { recursive: true });
    }
  }
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
    status: (answer) => answer.status === 200,
    id: (answer) => answer.json("id") === 42,
  });
}
`;
}
