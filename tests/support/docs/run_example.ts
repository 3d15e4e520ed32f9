import { ok } from "node:assert/strict";
import { join } from "node:path";
import { ROOT } from "../bench.ts";
import { cutDown } from "./flow_text.ts";
import type { PageHarness } from "./page_harness.ts";

/** Paths of the example flows, from the root of the checkout. */
export function* exampleFlows(folder = "examples"): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(join(ROOT, folder))) {
    if (isDirectory) yield* exampleFlows(join(folder, name));
    else if (name.endsWith(".bench.yaml")) yield join(folder, name);
  }
}

/**
 * Runs an example with its load cut down. It has to pass; one that is made to
 * break a target may do so.
 */
export async function runExample(
  flow: string,
  harness: PageHarness,
): Promise<void> {
  const text = Deno.readTextFileSync(join(ROOT, flow));
  harness.write(flow, cutDown(harness.moved(text)));
  const target = /^ {4}grpc:/m.test(text) ? "here_grpc" : "here";
  const { code, output } = await harness.sh(
    `set -a; . auth/demo.env; set +a; bench run ${flow} --target ${target}`,
  );
  const breaks = flow.startsWith(join("examples", "stress"));
  ok(code === 0 || (breaks && code === 1), output);
}
