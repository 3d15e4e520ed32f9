import { elsewhere } from "../expressions/elsewhere.ts";
import * as v from "valibot";
import { GRPC_CODES } from "../../base/values/grpc_codes.ts";
import { anyObject, child, type JsonObject } from "../../base/values/json.ts";
import { duration, longerThan0 } from "../fields/durations.ts";
import {
  defaulted,
  type ObjectOf,
  optional,
  required,
  type Value,
  type ValueOf,
} from "../fields/field.ts";
import { entriesOf, withoutEmpty } from "../fields/read_fields.ts";
import { type Least, list } from "../fields/list.ts";
import { mapping } from "../fields/mapping.ts";
import { boolean, integer, matching, oneOf } from "../fields/scalars.ts";
import { assertions } from "./assertions.ts";
import { extract } from "./extract.ts";

const ON_FAILURE = ["abort_flow", "abort_run", "record"] as const;
export type OnFailure = (typeof ON_FAILURE)[number];

const CAPTURES = ["full", "headers", "none"] as const;
/** How much of a request and its response a kept trace holds. */
export type Capture = (typeof CAPTURES)[number];

/** The name of a step; `.` and `@` are those of spans. */
const id = matching(/^[^.@]*[^.@\s][^.@]*$/, (text) => {
  const reserved = /[.@]/.exec(text)?.[0];
  return {
    code: "bad-id",
    message: reserved
      ? `the id "${text}" has a \`${reserved}\` in it: \`.\` and \`@\` are reserved for span names`
      : "a step's id cannot be empty",
    hint: reserved && `for example \`${text.replaceAll(/[.@]+/g, "_")}\``,
  };
});

/** Several statuses, as other tools write them. */
const SEVERAL = "[1-5](?:xx|\\*+)|\\d{3} ?(?:-|\\.\\.) ?\\d{3}|[<>]=? ?\\d{3}";
const EACH = "write out each one: [500, 502, 503, 504]";

const status = integer({
  min: 100,
  max: 599,
  noun: "a status",
  others: {
    [SEVERAL]: EACH,
    ...Object.fromEntries(GRPC_CODES.map(([name, status], code) => [
      `${name}|${code}`,
      `a gRPC code goes by the HTTP status that it stands for: ${status}`,
    ])),
  },
});

/** A list of statuses says which, so equal ones are equal text. */
function sorted(statuses: number[]): number[] {
  return [...new Set(statuses)].sort((a, b) => a - b);
}

/**
 * A list of status codes in their one order; wrong ones are left out.
 *
 * @param known what is one of them anyway, and not said
 */
function statuses(
  { least, known }: { readonly least?: Least; readonly known?: number } = {},
): Value<number[]> {
  const spelled = (list: number[]) =>
    sorted(list.filter((each) => each !== known));
  const written = list(status, {
    of: "statuses",
    example: "[429, 503]",
    ...(least && { least }),
  });
  return {
    ...written,
    schema: v.pipe(written.schema, v.transform(spelled)),
    read(slot) {
      const { node, pointer, reader } = slot;
      if (
        node.kind === "scalar" &&
        new RegExp(`^(?:${SEVERAL})$`, "i").test(node.text)
      ) {
        return slot.wrongType(`${slot.what} must be a list of statuses`, EACH);
      }
      const read = written.read(slot);
      const at = read?.map((_, i) => reader.locations.get(child(pointer, i))!);
      const all = read && spelled(read);
      for (const [index, each] of all?.entries() ?? []) {
        reader.locate(child(pointer, index), at![read!.indexOf(each)]!);
      }
      return all;
    },
  };
}

const BACKOFFS = ["fixed", "exponential", "honor_retry_after"] as const;

/** `retry` of a step. */
const retry = mapping({
  on_status: required(
    statuses({
      least: {
        code: "no-statuses",
        needs: "one status",
        hint: "for example [503]",
      },
    }),
    "statuses that are retried, each 100 to 599",
  ),
  backoff: required(
    oneOf(BACKOFFS, {
      "linear|constant|none|static|delay": "did you mean `fixed`?",
      "exp|expo|double|doubling|jitter|exponential_.*":
        "did you mean `exponential`?",
      "retry_after|retry_after_header|header|server":
        "did you mean `honor_retry_after`?",
    }),
    "`fixed`, `exponential` or `honor_retry_after`; the first waits `base_delay` each time, the second doubles it each time, the third waits as long as the response asks for, or `base_delay`",
  ),
  max_attempts: required(
    integer({ min: 1 }),
    "attempts in all, the first included",
  ),
  base_delay: defaulted(
    duration,
    "100ms",
    "wait before the second attempt",
    { ir: "base_delay_us" },
  ),
}, {
  places: ["retry"],
  hint:
    "for example `retry: { on_status: [503], backoff: fixed, max_attempts: 3 }`",
});
export type Retry = ValueOf<typeof retry>;

/** `throttle` of a step. */
const throttle = mapping({
  statuses: optional(
    statuses({ known: 429 }),
    "statuses that are throttles besides 429, which always is",
  ),
  as_error: optional(
    boolean,
    "whether a throttle counts as a failure; by default it does in `integration` and `system` mode, and does not in `load`, `stress` and `soak`",
  ),
}, { hint: "for example `throttle: { statuses: [503] }`" });
export type Throttle = ValueOf<typeof throttle>;

/** The keys of a step that are read the same way for every kind. */
export const STEP = {
  id: required(
    id,
    "the step's name, unique in the flow; `.` and `@` are reserved for span names",
  ),
  extract: optional(
    extract,
    "variables taken from the response",
  ),
  assert: optional(assertions(), "conditions on the response"),
  retry: optional(retry, "when to retry, and how long to wait"),
  throttle: optional(
    throttle,
    "statuses that mean rate limiting, besides 429",
  ),
  timeout: optional(
    longerThan0,
    "bounds one attempt in place of the target's `request_timeout`, which it cannot exceed",
    { ir: "timeout_us", version: 1, sinceIr: 2 },
  ),
  on_failure: defaulted(
    oneOf(ON_FAILURE, {
      "continue|ignore|skip|next|proceed|go_on|none|pass|warn":
        "did you mean `record`? the next step follows",
      "abort|stop|fail|exit|break|end":
        "`abort_flow` ends the iteration, `abort_run` the run",
      "retry|repeat": "`retry` is a key of the step",
    }),
    ON_FAILURE[0],
    "what a failure means",
  ),
  capture: optional(
    oneOf(CAPTURES, {}, elsewhere("step", "captures")),
    `how much a kept trace holds: ${CAPTURES.join(", ")}`,
    { version: 1 },
  ),
};

/** A step of the IR. */
export type Step = ObjectOf<typeof STEP> & {
  /** The action key: `call`, `poll`, `wait` ... */
  readonly kind: string;
  /** Sealed: only the folder of the kind gives it a type. */
  readonly block: JsonObject;
  /** Sealed: only the scheme named by `scheme` gives it a type. */
  readonly auth?: JsonObject;
};

/** A step of the IR, strictly; the blocks stay sealed. */
export const stepSchema = v.pipe(
  v.strictObject({
    id: id.schema,
    kind: v.string(),
    block: anyObject,
    ...entriesOf(STEP),
    auth: v.exactOptional(anyObject),
  }),
  v.transform((step) => withoutEmpty(STEP, step as JsonObject)),
) as unknown as v.GenericSchema<unknown, Step>;
