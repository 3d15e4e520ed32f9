import { createHash } from "node:crypto";
import type { JsonValue } from "../../base/values/json.ts";
import { canonical } from "../../base/values/canonical.ts";
import type { ArrivalPattern } from "../plan/plan.ts";
import type { HttpChoice } from "../../model/result/http_version.ts";
import type { PreparedRun } from "../preflight/prepared_run.ts";

/** What all shards of a run must have in common, beside the program's version. */
export interface Agreement {
  readonly flow: string;
  readonly target: string;
  readonly fixtures: string;
  readonly files: string;
  readonly seed: number;
  readonly http: HttpChoice;
  readonly arrivals: ArrivalPattern;
}

/** What this process has; large things by their hash. */
export function agreementOf(
  { canonical: flow, target, fixtures, filesSha256 }: PreparedRun,
  { seed, http, arrivals }: Pick<Agreement, "seed" | "http" | "arrivals">,
): Agreement {
  const rows = createHash("sha256");
  for (const [pool, { columns, cells }] of fixtures) {
    rows.update(JSON.stringify([pool, columns]));
    for (const cell of cells) rows.update(JSON.stringify(cell ?? null) + "\n");
  }
  return {
    flow: hash(flow),
    target: hash(canonical(target as unknown as JsonValue)),
    fixtures: rows.digest("hex"),
    files: filesSha256,
    seed,
    http,
    arrivals,
  };
}

const NAMES: Readonly<Record<keyof Agreement, string>> = {
  flow: "the flow",
  target: "the target file",
  fixtures: "the fixtures",
  files: "a file that a step names",
  seed: "`--seed`",
  http: "`--http`",
  arrivals: "`--arrivals`",
};

/** How what a shard has differs from what the lead has; undefined when it does not. */
export function difference(
  lead: Agreement,
  shard: Agreement,
): string | undefined {
  const keys = Object.keys(NAMES) as (keyof Agreement)[];
  const differing = keys.filter((key) => lead[key] !== shard[key]);
  if (differing.length === 0) return undefined;
  return differing.map((key) => {
    const short = (value: string | number) => String(value).slice(0, 12);
    return `${NAMES[key]} differs (lead ${short(lead[key])}, shard ${
      short(shard[key])
    })`;
  }).join(", ");
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
