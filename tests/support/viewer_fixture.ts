import { join } from "node:path";
import { runningMeta } from "../../lib/results/report/summary.ts";
import {
  comparisonOf,
  parseThreshold,
} from "../../lib/language/expressions/threshold.ts";
import { failureKey } from "../../lib/model/result/failure.ts";
import type {
  FailureGroup,
  RunMeta,
  ThresholdVerdict,
} from "../../lib/model/result/run.ts";
import { systemClock } from "../../lib/base/time/clock.ts";
import { respond } from "../../viewer/respond.ts";
import { ownHosts } from "../../lib/base/values/loopback.ts";
import { StoreIndex } from "../../viewer/store/store_index.ts";

/**
 * Asks the viewer for a path of a store, without a socket.
 *
 * @param hostname of the address that it serves at
 */
export function asker(
  storeDir: string,
  hostname = "127.0.0.1",
): (path: string, init?: RequestInit) => Promise<Response> {
  const site = {
    index: new StoreIndex(storeDir, systemClock),
    clock: systemClock,
    hosts: ownHosts(hostname, 7878),
  };
  return (path, init = {}) =>
    respond(
      new Request(`http://127.0.0.1:7878${path}`, {
        ...init,
        headers: { host: "127.0.0.1:7878", ...init.headers as object },
      }),
      site,
    );
}

/** Metadata of a finished run with these things different. */
export function metaOf(more: Partial<RunMeta> = {}): RunMeta {
  const started = "2026-11-20T18:02:11.000Z";
  return {
    ...runningMeta({
      id: "20261120T180211Z-checkout-0000aa",
      flow: "checkout",
      flowFile: "checkout.yaml",
      irSha256: "00",
      target: "staging",
      mode: "load",
      seed: 1,
      vus: 10,
      benchVersion: "0.1.0",
      startedAt: Date.parse(started),
      steps: [],
    }),
    status: "finished",
    verdict: "pass",
    exit_code: 0,
    ended_at: "2026-11-20T18:02:21.000Z",
    duration_ms: 10_000,
    ...more,
  };
}

/** A threshold that came out so. */
export function verdictOf(
  expression: string,
  actual: number,
  pass: boolean,
  samples: number,
): ThresholdVerdict {
  const parts = comparisonOf(parseThreshold(expression));
  return { expression, ...parts, actual, pass, samples };
}

/** A failure group with the key that its cause makes. */
export function groupOf(
  facts: Omit<FailureGroup, "key"> & { readonly check?: string },
): FailureGroup {
  const { check: _, ...group } = facts;
  return { key: failureKey(facts.step, facts), ...group };
}

/** Writes a run directory with these files; `meta.json` in any case. */
export function putRun(
  storeDir: string,
  meta: RunMeta,
  files: Readonly<Record<string, unknown>> = {},
): string {
  const dir = join(storeDir, meta.id);
  Deno.mkdirSync(dir, { recursive: true });
  for (
    const [name, content] of Object.entries({ "meta.json": meta, ...files })
  ) {
    const text = typeof content === "string"
      ? content
      : JSON.stringify(content);
    Deno.writeTextFileSync(join(dir, name), text);
  }
  return dir;
}
