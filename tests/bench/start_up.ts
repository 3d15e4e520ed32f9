import { join } from "node:path";
import { checkoutCommand, getFlow, packedCommand } from "./bench_command.ts";
import { type Figure, median } from "./figure.ts";
import { pinned } from "./process_cost.ts";

/**
 * Process start to the version's last byte, and to the first request: of the
 * program as it is packed, which is what users start, and of the checkout.
 */
export async function measureStartUp(rounds: number): Promise<Figure[]> {
  const packed = await startUp(await packedCommand(), rounds);
  const checkout = await startUp(await checkoutCommand(), rounds);
  return [
    { ...packed.version, expected: { op: "<=", limit: 22 } },
    { ...packed.first, expected: { op: "<=", limit: 90 } },
    { ...checkout.version, name: `${checkout.version.name}, from a checkout` },
    { ...checkout.first, name: `${checkout.first.name}, from a checkout` },
  ];
}

async function startUp(
  bench: readonly string[],
  rounds: number,
): Promise<{ readonly version: Figure; readonly first: Figure }> {
  const version: number[] = [];
  const first: number[] = [];
  // The first of each unpacks, and fills the caches of files and of compiled code.
  for (let round = 0; round <= rounds; round++) {
    const started = performance.now();
    await finished([...bench, "--version"]);
    const toVersion = performance.now() - started;
    const toRequest = await firstRequestMs(bench);
    if (round === 0) continue;
    version.push(toVersion);
    first.push(toRequest);
  }
  const ms = (name: string, values: readonly number[]): Figure => ({
    name,
    value: median(values),
    unit: "ms",
  });
  return {
    version: ms("bench --version", version),
    first: ms("first request from process start", first),
  };
}

/** Runs a command to its end, without the shell that adds up what a process costs. */
async function finished(command: readonly string[]): Promise<void> {
  const [program, ...args] = [...pinned(1), ...command];
  const { success, stderr } = await new Deno.Command(program!, {
    args,
    env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
    stdin: "null",
    signal: AbortSignal.timeout(20_000),
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

/** Process start to the first request of a run, in milliseconds. */
export async function firstRequestMs(
  bench: readonly string[],
): Promise<number> {
  const folder = await Deno.makeTempDir({ prefix: "bench-start-" });
  let arrived = NaN;
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => {
      arrived = performance.now();
      return Response.json({ id: 42 });
    },
  );
  try {
    const flow = join(folder, "flow.yaml");
    const target = join(folder, "target.yaml");
    await Deno.writeTextFile(flow, getFlow("{ mode: integration }"));
    await Deno.writeTextFile(
      target,
      `name: t\nbase_urls: ["http://127.0.0.1:${server.addr.port}"]\n`,
    );
    const started = performance.now();
    await finished([
      ...[...bench, "run", flow, "--target", target, "--quiet"],
      ...["--store", join(folder, "runs")],
    ]);
    return arrived - started;
  } finally {
    await server.shutdown();
    await Deno.remove(folder, { recursive: true });
  }
}
