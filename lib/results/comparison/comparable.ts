import { readFlow } from "../store/reader.ts";
import { StoreError } from "../store/store_error.ts";
import { readEvidence, type RunEvidence } from "./evidence.ts";

/** Of a profile: what makes other load of the same flow. */
const LOAD_KEYS = ["mode", "vus", "arrival", "arrivals"] as const;

/** What may differ between the runs, though figures are then no longer alike. */
interface Allowed {
  readonly targets: boolean;
}

/** Runs that measured the same thing. */
interface Comparable {
  readonly candidate: RunEvidence;
  readonly bases: readonly RunEvidence[];
}

/**
 * Reads runs that are to be compared.
 *
 * @param now milliseconds since the Unix epoch
 * @throws {StoreError} when one of them cannot be read, or measured something else
 */
export async function readComparable(
  candidateDir: string,
  baseDirs: readonly string[],
  now: number,
  allowed: Allowed,
): Promise<Comparable> {
  const dirs = [candidateDir, ...baseDirs];
  // One after the other: of two that are refused, the first is always named.
  const runs = await Array.fromAsync(dirs, (dir) => readEvidence(dir, now));
  const flows = await Array.fromAsync(dirs, readFlow);
  const [candidate, ...bases] = runs as [RunEvidence, ...RunEvidence[]];
  bases.forEach((base, i) => {
    checkRuns(candidate, base, allowed);
    checkFlows(flows[0]!, flows[i + 1]!, base.meta.id);
  });
  const ids = runs.map(({ meta }) => meta.id);
  if (new Set(ids).size < ids.length) {
    throw new StoreError(
      "a run cannot be compared with itself",
      "name another run after --with",
    );
  }
  return { candidate, bases };
}

function checkRuns(
  { meta: a }: RunEvidence,
  { meta: b }: RunEvidence,
  allowed: Allowed,
): void {
  if (a.flow !== b.flow) {
    throw new StoreError(
      `the runs are of different flows: \`${a.flow}\`, and \`${b.flow}\` of ${b.id}`,
      "compare runs of one flow",
    );
  }
  if (a.target !== b.target && !allowed.targets) {
    throw new StoreError(
      `the runs are against different targets: \`${a.target}\`, and \`${b.target}\` of ${b.id}`,
      "--across-targets compares them all the same; bench duel measures two targets at once",
    );
  }
}

/** Thresholds, `hold` and `iterations` may differ: they change no request. */
function checkFlows(a: string, b: string, id: string): void {
  const [x, y] = [a, b].map((text) => JSON.parse(text));
  const differs = (pick: (flow: typeof x) => unknown) =>
    JSON.stringify(pick(x) ?? null) !== JSON.stringify(pick(y) ?? null);
  const load = LOAD_KEYS.find((key) =>
    differs(({ profile }) => profile?.[key])
  );
  if (load !== undefined) {
    throw new StoreError(
      `\`${load}\` of the profile is not that of ${id}`,
      "figures of different loads say nothing about each other",
    );
  }
  if (differs(({ steps }) => steps) || differs(({ pools }) => pools)) {
    throw new StoreError(
      `the steps of the flow are not those of ${id}: the flow was changed between the runs`,
      "run both states of the target with one state of the flow",
    );
  }
}
