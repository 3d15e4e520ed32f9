/**
 * Requests per CPU second of this process: the wire room against the least
 * that could be written by hand, on 50 kept-alive connections.
 *
 *     deno run -A tests/bench/wire_bench.ts http://127.0.0.1:8080/ [seconds]
 *
 * Pin the server and this process to different cores, and compare with
 * `wrk -t1 -c50` in the same minute.
 */
import { AllowList, parseBaseUrl, resolveUrl } from "../../lib/wire/net/url.ts";
import { HttpConnections } from "../../lib/wire/http/connections.ts";
import { http1Request } from "../../lib/wire/http/request.ts";
import { Network } from "../../lib/wire/net/network.ts";
import { requestHead } from "../../lib/wire/http1/request_head.ts";
import { systemClock } from "../../lib/base/time/clock.ts";

const CONNECTIONS = 50;

const base = parseBaseUrl(Deno.args[0] ?? "http://127.0.0.1:8080");
const seconds = Number(Deno.args[1] ?? "3");
const caCerts = Deno.args[2] ? [Deno.readTextFileSync(Deno.args[2])] : [];
const url = resolveUrl("/", base);
const request = new TextEncoder().encode(
  requestHead("GET", url.path, [["Host", url.origin.hostHeader]]),
);

/** CPU seconds of this process so far: user and system (proc(5), USER_HZ 100). */
function cpuSeconds(): number {
  const stat = Deno.readTextFileSync("/proc/self/stat");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function wireLoop(network: Network, until: number): Promise<number> {
  const connections = new HttpConnections(network);
  const asked = http1Request("GET", request);
  let count = 0;
  while (performance.now() < until) {
    const response = await connections.request(
      url.origin,
      asked,
      30_000,
    );
    if (response.failure) throw new Error(response.failure.message);
    if (response.status !== 200 || response.body.length === 0) {
      throw new Error(`status ${response.status}`);
    }
    count++;
  }
  connections.close();
  return count;
}

/** Knows the length of the response, looks at nothing. */
async function handLoop(until: number): Promise<number> {
  const { host, port } = url.origin;
  const stream = await Deno.connect({ hostname: host, port });
  stream.setNoDelay(true);
  const buffer = new Uint8Array(2048);
  let count = 0;
  while (performance.now() < until) {
    await stream.write(request);
    if (await stream.read(buffer) === null) throw new Error("closed");
    count++;
  }
  stream.close();
  return count;
}

async function measure(
  name: string,
  loop: (until: number) => Promise<number>,
): Promise<void> {
  const cpu = cpuSeconds();
  const start = performance.now();
  const until = start + seconds * 1000;
  const counts = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => loop(until)),
  );
  const total = counts.reduce((sum, each) => sum + each, 0);
  const used = cpuSeconds() - cpu;
  const wall = (performance.now() - start) / 1000;
  // deno-lint-ignore no-console
  console.log(
    `${name.padEnd(6)} ${Math.round(total / wall)}/s  ` +
      `${Math.round(total / used)} per CPU second`,
  );
}

const network = new Network({
  allowList: new AllowList([base]),
  tls: { caCerts, insecure: false },
  clock: systemClock,
});
for (let round = 0; round < 2; round++) {
  if (url.origin.family === "http") await measure("hand", handLoop);
  await measure("wire", (until) => wireLoop(network, until));
}
network.close();
