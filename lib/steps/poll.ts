import * as v from "valibot";
import { assertionSchema } from "../model/ir/flow.ts";
import { readAssertions } from "../language/source/assertions.ts";
import {
  ASSERTION,
  listOf,
  LONGER_THAN_0,
  PAYLOAD,
  wholeNumber,
} from "../language/source/form.ts";
import {
  type Fields,
  type KeyTable,
  readMapping,
} from "../language/source/mapping.ts";
import { mappingWith } from "../language/source/mapping_form.ts";
import type { Entry } from "../language/source/node.ts";
import type { Reader } from "../language/source/reader.ts";
import {
  LONGER_THAN_NOTHING,
  readDuration,
  readInteger,
} from "../language/source/scalars.ts";
import { child } from "../base/values/pointer.ts";
import { openHttp } from "./http/attempt.ts";
import {
  CALL_FORM,
  CALL_OFFER,
  callFacts,
  HEADERS_FORM,
  HTTP_FIELDS,
  httpTemplates,
  QUERY_FORM,
  readHttpBlock,
} from "./http/block.ts";
import { checkMediaTypes } from "./http/media_type.ts";
import type {
  BlockAssertion,
  Protocol,
  Repeat,
  StepSource,
} from "./protocol.ts";

/** The keys of a `poll` block. */
const POLL_KEYS = {
  call: {
    required: true,
    doc: '"METHOD /path", repeated until the conditions hold',
    form: CALL_FORM,
  },
  headers: { doc: "request headers", form: HEADERS_FORM },
  query: { doc: "URL query parameters", form: QUERY_FORM },
  body: { doc: "JSON body", form: PAYLOAD },
  until: {
    required: true,
    doc: "assertions that end the poll when all hold",
    form: listOf(ASSERTION, 1),
  },
  interval: {
    required: true,
    doc: "from the start of one round to the start of the next, above 0",
    form: LONGER_THAN_0,
  },
  timeout: {
    doc: "gives up after this long, rounds under way included",
    form: LONGER_THAN_0,
  },
  max_attempts: {
    doc: "gives up after this many rounds",
    form: wholeNumber(1),
  },
} as const satisfies KeyTable;

/** What may stand in the block or beside it. */
const EITHER_KEYS = ["headers", "query", "body"] as const;

const micros = v.pipe(v.number(), v.integer(), v.minValue(1));

const schema = v.pipe(
  v.strictObject({
    ...HTTP_FIELDS,
    until: v.pipe(v.array(assertionSchema), v.minLength(1)),
    interval_us: micros,
    timeout_us: v.exactOptional(micros),
    max_attempts: v.exactOptional(
      v.pipe(v.number(), v.integer(), v.minValue(1)),
    ),
  }),
  v.check(
    (block) =>
      block.timeout_us !== undefined || block.max_attempts !== undefined,
    "`poll` needs `timeout_us` or `max_attempts`",
  ),
);
type PollBlock = v.InferOutput<typeof schema>;
type PollFields = Fields<keyof typeof POLL_KEYS>;

/** The same request again and again until its response is the expected one. */
export const poll: Protocol<PollBlock> = {
  kind: "poll",
  doc: "a request repeated until assertions hold",
  keys: ["extract", "assert", "throttle", "auth", ...EITHER_KEYS],
  eitherKeys: EITHER_KEYS,
  form: mappingWith(POLL_KEYS, {
    anyOf: [{ required: ["timeout"] }, { required: ["max_attempts"] }],
  }),
  requests: true,
  schema,
  parse(source, reader) {
    const fields = readMapping(source.action, POLL_KEYS, "`poll`", reader);
    if (!fields) return;
    const pointer = `${source.pointer}/block`;
    const call = fields.get("call")?.value;
    const http = call && readHttpBlock({
      call,
      headers: readEither("headers", fields, source, reader),
      query: readEither("query", fields, source, reader),
      body: readEither("body", fields, source, reader),
      pointer,
    }, reader);
    const until = readUntil(fields, child(pointer, "until"), reader);
    const bounds = readBounds(fields, pointer, reader);
    return http && until && bounds && { ...http, until, ...bounds };
  },
  templates: httpTemplates,
  assertions: untilOf,
  waitsUs: ({ timeout_us, max_attempts, interval_us }) =>
    timeout_us ?? (max_attempts ?? 1) * interval_us,
  facts: callFacts,
  urls: (block) => [{ pointer: "/url", value: block.url }],
  checkFlow: checkMediaTypes,
  offer: ([key]) => key === "call" ? CALL_OFFER : {},
  open(block, tools) {
    return { ...openHttp(block, tools), repeat: repeatOf(block) };
  },
};

/** The part of the request from the block or from beside it. */
function readEither(
  key: typeof EITHER_KEYS[number],
  fields: PollFields,
  source: StepSource,
  reader: Reader,
): Entry | undefined {
  const [inside, beside] = [fields.get(key), source.key(key)];
  if (inside && beside) {
    reader.report({
      at: beside.keyAt,
      code: "key-twice",
      message:
        `\`${key}\` is declared twice: in the \`poll\` block and beside it`,
      hint: "keep one of the two",
    });
  }
  return inside ?? beside;
}

function readUntil(fields: PollFields, pointer: string, reader: Reader) {
  const entry = fields.get("until");
  if (!entry) return;
  const mistakes = reader.diagnostics.count;
  const until = readAssertions(entry.value, "`until`", pointer, reader);
  if (until.length === 0 && reader.diagnostics.count === mistakes) {
    reader.report({
      at: entry.value.at,
      code: "poll-until",
      message: "`until` needs at least one assertion",
    });
  }
  return until.length > 0 ? until : undefined;
}

function readBounds(fields: PollFields, pointer: string, reader: Reader) {
  const duration = (key: "interval" | "timeout") => {
    const node = fields.get(key)?.value;
    if (node) reader.place(child(pointer, `${key}_us`), node.at);
    return node &&
      readDuration(node, `\`${key}\``, reader, LONGER_THAN_NOTHING);
  };
  const interval_us = duration("interval");
  const timeout_us = duration("timeout");
  const rounds = fields.get("max_attempts")?.value;
  const max_attempts = rounds &&
    readInteger(rounds, "`max_attempts`", 1, reader);
  if (!fields.get("timeout") && !rounds) {
    reader.report({
      at: fields.node.at,
      code: "poll-bound",
      message:
        "`poll` needs `timeout` or `max_attempts`, or it could go on for ever",
    });
  }
  // A bound that is written but wrong is not also missing.
  if (timeout_us === undefined && max_attempts === undefined) return;
  return interval_us === undefined ? undefined : {
    interval_us,
    ...(timeout_us !== undefined && { timeout_us }),
    ...(max_attempts !== undefined && { max_attempts }),
  };
}

function repeatOf(block: PollBlock): Repeat {
  return {
    until: untilOf(block),
    intervalMs: block.interval_us / 1_000,
    ...(block.timeout_us !== undefined &&
      { timeoutMs: block.timeout_us / 1_000 }),
    ...(block.max_attempts !== undefined &&
      { maxAttempts: block.max_attempts }),
  };
}

function untilOf({ until }: PollBlock): BlockAssertion[] {
  return until.map((assertion, index) => ({
    pointer: `/until/${index}`,
    assertion,
  }));
}
