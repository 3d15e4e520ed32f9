import * as v from "valibot";
import { assertions } from "../../language/flow/assertions.ts";
import type { Words } from "../../language/expressions/elsewhere.ts";
import { NO_SOCKET_IO } from "../../language/expressions/key_words.ts";
import { longerThan0 } from "../../language/fields/durations.ts";
import { isNothing, mapping } from "../../language/fields/mapping.ts";
import {
  beside,
  optional,
  type Value,
  type ValueOf,
} from "../../language/fields/field.ts";
import { list } from "../../language/fields/list.ts";
import { or, string } from "../../language/fields/scalars.ts";
import { payload } from "../../language/fields/templates.ts";
import { headers, url } from "../http/block.ts";

/** The name of a session; nothing and the empty name are the unnamed one. */
const session: Value<string> = {
  schema: v.pipe(v.string(), v.minLength(1)),
  form: { type: ["string", "null"] },
  emptyIsAbsent: true,
  read(slot) {
    if (isNothing(slot.node)) return;
    const name = string.read(slot);
    if (name?.includes("{{")) {
      slot.report({
        code: "session-template",
        message:
          `${slot.what} is a name and never templated, but it is "${name}"`,
        hint: "every virtual user has sessions of its own: one name is enough",
      });
    }
    return name;
  },
};

/** Words of other tools, with the way out. */
const RECEIVE_WORDS: Words = {
  "matches|filter|where|when|expect|assert|until|contains":
    "did you mean `match`?",
  "max_time|max_wait|within|wait|deadline|for": "did you mean `timeout`?",
  "type|event|action|id|op|topic|channel|name|status":
    'a frame is chosen by `match`, an assertion on it: `match: $$.$0 == "..."`',
  "count|times|n": "a step takes one frame: the next one is a step of its own",
};

const receive = mapping({
  match: optional(
    assertions({
      orOne: true,
      bodyAlone: true,
      least: {
        code: "match-empty",
        needs: "one assertion on the frame",
        hint: "to take the next frame of any kind, leave `match` out",
      },
    }),
    "an assertion on the frame, or a list of them that all have to hold; the subject is a JSON path, and frames that do not match are skipped",
  ),
  timeout: optional(
    longerThan0,
    "how long to wait, within the step's `timeout`; the target's `request_timeout` when both are absent",
    { ir: "timeout_us" },
  ),
}, {
  bare: true,
  keepsEmpty: true,
  places: [RECEIVE_WORDS],
  hint: "a bare `receive:` takes the next frame; a filter goes under `match`",
});

/** Words of other tools, with the way out. */
const WORDS: Words = {
  "messages?|text|frames?|payload|data|body|write|json": "did you mean `send`?",
  "expects?|recv|read|wait_for|await|on_message|response|listen":
    "did you mean `receive`?",
  "protocols?|subprotocol|sub_protocols?": "did you mean `subprotocols`?",
  "name|connection|socket|id": "did you mean `session`?",
  "connect|open|path|uri|host|server|address": "did you mean `url`?",
  "match|matches|filter":
    "it belongs into `receive`: `receive: { match: ... }`",
  "close|disconnect": "a session is closed when its iteration ends",
  "emit|namespace|acknowledge": NO_SOCKET_IO,
  "ping|pong|heartbeat": "pings get their pongs by themselves",
};

/**
 * A `ws` block; without `url` the step joins a session. What cannot be read is
 * replaced by something that can be there, so that the rules across steps still
 * see who opens a session and who joins it.
 */
export const wsBlock = mapping({
  url: optional(
    or(url, "/"),
    "opens a session; a relative URL joins the target's base URL, http as ws and https as wss",
    { alias: "endpoint" },
  ),
  session: optional(
    session,
    "the session's name; without it, or empty, the flow's unnamed session",
  ),
  subprotocols: optional(
    list(string),
    "what the handshake offers, in order; the server has to choose one of them",
  ),
  send: optional(
    or(payload, null),
    "a JSON frame to send; templates work as in a `body`",
  ),
  receive: optional(
    or(receive, {}),
    "waits for a frame; bare, it takes the next one, whatever it is",
  ),
  ...beside({ headers: optional(headers, "handshake headers") }),
}, {
  places: [WORDS],
  hint:
    "for example `ws: { url: /events, receive: }`, which opens a session and takes its first frame",
});
export type WsBlock = ValueOf<typeof wsBlock>;
