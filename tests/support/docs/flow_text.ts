/** What a part of a flow is a part of: what the page leaves out. */
const FLOW = "flow: example\n";
const AUTH = `auth: { scheme: bearer, token: "{{ env.API_TOKEN }}" }\n`;
const STEPS = "steps:\n  - id: item\n    call: GET /items/42\n";

/** Longest ramp, and longest hold, of a block that is run, in milliseconds. */
const LONGEST_MS = 1_000;

/** The same of a flow that a page writes to a file, and shows the results of. */
const LONGEST_OF_FILE_MS = 5_000;

/** Most users of one. */
const MOST_VUS = 20;

const UNITS: Readonly<Record<string, number>> = {
  us: 0.001,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

/** A whole flow around a block that is one, or a part of one. */
export function wholeFlow(yaml: string): string {
  if (yaml.startsWith("- id:")) {
    const data = yaml.includes("{{ user.") ? "data: data/users.csv\n" : "";
    return `${FLOW}${AUTH}${data}steps:\n${yaml.replace(/^(?=.)/gm, "  ")}`;
  }
  const head = /^flow:/m.test(yaml) ? "" : FLOW;
  const steps = /^steps:/m.test(yaml) ? "" : STEPS;
  return `${head}${yaml}${steps}`;
}

/** The file with no ramp, stage or hold that is longer than its result needs. */
export function shortened(
  text: string,
  longestMs = LONGEST_OF_FILE_MS,
): string {
  return text.replace(
    /\b(over:? |hold: |warm_up: )(\d+(?:\.\d+)?)(us|ms|s|m|h)\b/g,
    (all, key, amount, unit) => {
      // A warm-up leaves something to be measured.
      const most = key === "warm_up: " ? longestMs / 4 : longestMs;
      return Number(amount) * UNITS[unit]! > most ? `${key}${most}ms` : all;
    },
  );
}

/**
 * The flow with a load that a machine can bear beside others: minutes are for
 * readers. How fast that machine is decides no latency threshold.
 */
export function cutDown(yaml: string): string {
  return shortened(yaml, LONGEST_MS).replace(
    /\b(vus: |ramp: 1 -> )(\d+)\b/g,
    (_, key, vus) => `${key}${Math.min(MOST_VUS, Number(vus))}`,
  ).replace(/(\(latency\) <=? )[\d.]+(?:us|ms|s)\b/g, "$11m");
}
