import * as v from "valibot";
import { type Assertion, assertionSchema } from "../../model/ir/flow.ts";
import { anyJson } from "../../model/ir/json_value.ts";
import { readAssertions } from "../../language/source/assertions.ts";
import {
  ASSERTION,
  either,
  type Form,
  listOf,
  LONGER_THAN_0,
  PAYLOAD,
  STRING,
  WORDS,
} from "../../language/source/form.ts";
import {
  type Fields,
  type KeyTable,
  readMapping,
} from "../../language/source/mapping.ts";
import { mappingWith } from "../../language/source/mapping_form.ts";
import { describe, type Entry, type Node } from "../../language/source/node.ts";
import { readPayload } from "../../language/source/payload.ts";
import type { Reader } from "../../language/source/reader.ts";
import {
  LONGER_THAN_NOTHING,
  readDuration,
  readString,
} from "../../language/source/scalars.ts";
import { child } from "../../base/values/pointer.ts";
import { ONE_URL_AT_MOST, readBlockUrl, URL_KEYS } from "../http/block_url.ts";
import { readDeclaredHeaders } from "../http/block.ts";
import type { StepSource } from "../protocol.ts";

/** The keys of `receive`. */
const RECEIVE_KEYS = {
  match: {
    doc: "assertions on the frame; frames they do not hold for are skipped",
    form: either(ASSERTION, listOf(ASSERTION, 1)),
  },
  timeout: {
    doc: "how long to wait; the target's request_timeout when absent",
    form: LONGER_THAN_0,
  },
} as const satisfies KeyTable;

const NOTHING: Form = { type: "null" };

/** The keys of a `ws` block. */
const WS_KEYS = {
  url: {
    doc: "opens a session; a relative URL joins the target's base URL",
    form: WORDS,
  },
  endpoint: URL_KEYS.endpoint,
  session: {
    doc: "name of the session; the flow's unnamed one when absent",
    form: either(STRING, NOTHING),
  },
  subprotocols: {
    doc: "subprotocols to offer when opening",
    form: listOf(STRING),
  },
  send: { doc: "a JSON frame to send", form: PAYLOAD },
  receive: {
    doc: "waits for a frame; alone it takes the next one",
    form: either(NOTHING, mappingWith(RECEIVE_KEYS)),
  },
} as const satisfies KeyTable;

/** A `ws` block to an editor. */
export const WS_FORM: Form = mappingWith(WS_KEYS, ONE_URL_AT_MOST);

const micros = v.pipe(v.number(), v.integer(), v.minValue(1));

/** The IR block. Without `url` the step joins a session. */
export const wsSchema = v.strictObject({
  url: v.exactOptional(v.pipe(v.string(), v.minLength(1))),
  headers: v.exactOptional(v.record(v.string(), v.string())),
  subprotocols: v.exactOptional(v.pipe(v.array(v.string()), v.minLength(1))),
  session: v.exactOptional(v.pipe(v.string(), v.minLength(1))),
  send: v.exactOptional(anyJson),
  /** Empty: the next frame, whatever it is. */
  receive: v.exactOptional(v.strictObject({
    match: v.exactOptional(v.pipe(v.array(assertionSchema), v.minLength(1))),
    timeout_us: v.exactOptional(micros),
  })),
});
export type WsBlock = v.InferOutput<typeof wsSchema>;
type Receive = NonNullable<WsBlock["receive"]>;

/**
 * Reads a `ws` step; every mistake of form is reported. What could not be read
 * is replaced by something that can stand there, so that the rules across steps
 * still see who opens a session and who joins it.
 */
export function readWsBlock(
  source: StepSource,
  reader: Reader,
): WsBlock | undefined {
  const fields = readMapping(source.action, WS_KEYS, "`ws`", reader);
  if (!fields) return;
  const pointer = `${source.pointer}/block`;
  const opens = fields.get("url") ?? fields.get("endpoint");
  const url = readBlockUrl(fields, pointer, reader);
  const headers = readDeclaredHeaders(source.key("headers"), pointer, reader);
  const session = readSession(fields, pointer, reader);
  const subprotocols = readSubprotocols(fields, pointer, reader);
  const send = fields.get("send");
  const frame = send &&
    readPayload(send.value, child(pointer, "send"), reader);
  const receive = readReceive(fields, child(pointer, "receive"), reader);
  return {
    ...(opens && { url: url || "/" }),
    ...headers,
    ...(subprotocols?.length && { subprotocols }),
    ...(session && { session }),
    ...(send && { send: frame ?? null }),
    ...(receive && { receive }),
  };
}

type WsFields = Fields<keyof typeof WS_KEYS>;

function readSession(fields: WsFields, pointer: string, reader: Reader) {
  const entry = fields.get("session");
  if (!entry) return;
  reader.place(child(pointer, "session"), entry.value.at);
  // A bare `session:` is the empty name.
  if (isNothing(entry.value)) return;
  const name = readString(entry.value, "`session`", reader);
  if (name?.includes("{{")) {
    reader.report({
      at: entry.value.at,
      code: "session-template",
      message: `\`session\` is a name and never templated, but it is "${name}"`,
      hint: "every virtual user has sessions of its own: one name is enough",
    });
  }
  return name;
}

function readSubprotocols(fields: WsFields, pointer: string, reader: Reader) {
  const entry = fields.get("subprotocols");
  if (!entry) return;
  const at = child(pointer, "subprotocols");
  reader.place(at, entry.keyAt);
  const { value } = entry;
  if (value.kind !== "list") {
    reader.report({
      at: value.at,
      code: "wrong-type",
      message: `\`subprotocols\` must be a list, but it is ${describe(value)}`,
      hint: value.kind === "scalar" ? `for one: [${value.text}]` : undefined,
    });
    return;
  }
  return value.items.flatMap((item, index) => {
    reader.place(child(at, index), item.at);
    return readString(item, "a subprotocol", reader) ?? [];
  });
}

function readReceive(
  fields: WsFields,
  pointer: string,
  reader: Reader,
): Receive | undefined {
  const entry = fields.get("receive");
  if (!entry) return;
  reader.place(pointer, entry.keyAt);
  if (isNothing(entry.value)) return {};
  if (entry.value.kind === "scalar") {
    reader.report({
      at: entry.value.at,
      code: "wrong-type",
      message: `\`receive\` must be a mapping or empty, but it is ${
        describe(entry.value)
      }`,
      hint:
        "a bare `receive:` takes the next frame; a filter stands under `match`",
    });
    return;
  }
  const inner = readMapping(entry.value, RECEIVE_KEYS, "`receive`", reader);
  const timeout = inner?.get("timeout")?.value;
  if (timeout) reader.place(child(pointer, "timeout_us"), timeout.at);
  const timeout_us = timeout &&
    readDuration(timeout, "`timeout`", reader, LONGER_THAN_NOTHING);
  const match = readMatch(inner?.get("match"), child(pointer, "match"), reader);
  return {
    ...(match?.length && { match }),
    ...(timeout_us !== undefined && { timeout_us }),
  };
}

/** One assertion, or a list of them that all have to hold. */
function readMatch(
  entry: Entry | undefined,
  pointer: string,
  reader: Reader,
): Assertion[] | undefined {
  if (!entry) return;
  const { value } = entry;
  const items = value.kind === "list" ? value.items : [value];
  const mistakes = reader.diagnostics.count;
  items.forEach((item) => refuseLogic(item, reader));
  if (items.length === 0) {
    reader.report({
      at: value.at,
      code: "match-empty",
      message: "`match` needs an assertion on the frame",
      hint: "to take the next frame whatever it is, leave `match` out",
    });
  }
  if (reader.diagnostics.count > mistakes) return;
  return readAssertions(
    { kind: "list", items, at: value.at },
    "`match`",
    pointer,
    reader,
  );
}

/** `a && b` would be read as one comparison with the text `... && b`. */
function refuseLogic(node: Node, reader: Reader): void {
  if (node.kind !== "scalar") return;
  const bare = node.text.replaceAll(/'[^']*'|"[^"]*"|\[[^\]]*\]/g, "");
  const word = /&&|\|\|/.exec(bare)?.[0];
  if (!word) return;
  reader.report({
    at: node.at,
    code: "match-logic",
    message:
      `an item of \`match\` is one assertion, but this one has a \`${word}\``,
    hint: word === "&&"
      ? "make `match` a list: a frame matches when all of its assertions hold"
      : "there is no `or`: `matches` with a pattern such as ^(a|b)$ takes one of several values",
  });
}

function isNothing(node: Node): boolean {
  return node.kind === "scalar" && node.value === null;
}
