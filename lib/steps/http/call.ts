import { inline } from "../../language/fields/inline.ts";
import type { ValueOf } from "../../language/fields/value.ts";
import { STEP_KEYS } from "../../language/flow/kind.ts";
import { callFacts, REQUEST_FIELDS } from "./block.ts";
import { CALL_OFFER, callLine } from "./call_line.ts";
import { openHttp } from "./attempt.ts";
import { checkMediaTypes } from "./media_type.ts";
import type { Protocol } from "../protocol.ts";

const block = inline(callLine, REQUEST_FIELDS);

/** One HTTP request; any response is accepted, then extracted and asserted. */
export const call: Protocol<ValueOf<typeof block>> = {
  kind: "call",
  doc: 'an HTTP request, "METHOD /path"',
  block,
  keys: STEP_KEYS,
  requests: true,
  facts: callFacts,
  checkFlow: checkMediaTypes,
  offer: (path) => path.length === 0 ? CALL_OFFER : {},
  open: openHttp,
};
