import * as v from "valibot";
import {
  CALL_FORM,
  CALL_OFFER,
  callFacts,
  HTTP_FIELDS,
  type HttpBlock,
  httpTemplates,
  readHttpBlock,
} from "./block.ts";
import { openHttp } from "./attempt.ts";
import { checkMediaTypes } from "./media_type.ts";
import { type Protocol, STEP_KEYS } from "../protocol.ts";

/** One HTTP request; any answer is accepted, then extracted and asserted. */
export const call: Protocol<HttpBlock> = {
  kind: "call",
  doc: 'an HTTP request, "METHOD /path"',
  keys: STEP_KEYS,
  form: CALL_FORM,
  requests: true,
  schema: v.strictObject(HTTP_FIELDS),
  parse: (source, reader) =>
    readHttpBlock({
      call: source.action,
      headers: source.key("headers"),
      query: source.key("query"),
      body: source.key("body"),
      pointer: `${source.pointer}/block`,
    }, reader),
  templates: httpTemplates,
  facts: callFacts,
  urls: (block) => [{ pointer: "/url", value: block.url }],
  checkFlow: checkMediaTypes,
  offer: (path) => path.length === 0 ? CALL_OFFER : {},
  open: openHttp,
};
