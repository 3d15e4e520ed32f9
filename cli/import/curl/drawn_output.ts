import type { JsonValue } from "../../../lib/base/values/json.ts";

/** A value of a flow that is new for each iteration, and what it is called. */
interface DrawnValue {
  readonly likeness: string;
  readonly value: JsonValue;
}

/** The value that stands for what commands print anew each time: a time, a UUID, random digits. */
export function drawnBy(
  commands: readonly { readonly words: readonly string[] }[],
): DrawnValue | undefined {
  const written = commands.map(({ words }) => words.join(" ")).join(" | ");
  const [, bytes] = /^openssl rand -hex (\d{1,3})$/.exec(written) ?? [];
  if (bytes !== undefined && Number(bytes) > 0) {
    return { likeness: "hex", value: { hex: 2 * Number(bytes) } };
  }
  const [, value] = PRINTED.find(([pattern]) => pattern.test(written)) ?? [];
  return value === undefined
    ? undefined
    : { likeness: value === "uuid" ? "uuid" : "now", value };
}

const PRINTED: readonly (readonly [RegExp, JsonValue])[] = [
  [/^date(?: -u)? \+%s$/, { now: "unix" }],
  [/^date(?: -u)? \+%s(?:%3N|000)$/, { now: "unix_ms" }],
  [/^date(?: -u)? (?:\+%F|\+%Y-%m-%d|-I)$/, { now: "date" }],
  [
    /^date(?: -u)? (?:\+%FT%TZ|\+%Y-%m-%dT%H:%M:%SZ|-Is(?:econds)?)$/,
    { now: "rfc3339" },
  ],
  [
    /^(?:uuidgen|cat \/proc\/sys\/kernel\/random\/uuid)(?: \| tr .{1,40})?$/,
    "uuid",
  ],
];
