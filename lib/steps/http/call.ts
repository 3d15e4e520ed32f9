import { inline } from "../../language/fields/mapping.ts";
import type { ObjectValue, ValueOf } from "../../language/fields/field.ts";
import type { Report } from "../../base/text/diagnostic.ts";
import {
  type KindStep,
  STEP_KEYS,
  type Suggestions,
} from "../../language/flow/registry.ts";
import { callFacts, type HttpBlock, REQUEST_FIELDS, url } from "./block.ts";
import { openHttp } from "./attempt.ts";
import { compileBody } from "./body.ts";
import { checkBodyFiles } from "./body_fields.ts";
import { checkBodies, oddPayload } from "./body_warnings.ts";
import type { Protocol } from "../protocol.ts";
import * as v from "valibot";
import { child } from "../../base/values/json.ts";
import {
  BRACES_PATTERN,
  REFERENCE_PATTERN,
} from "../../language/expressions/template.ts";
import { asTemplate, ONE_BRACE } from "../../language/expressions/one_brace.ts";
import { templated } from "../../language/fields/templates.ts";

/** The methods of RFC 9110 and RFC 5789 that have a use here. */
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/** Registered methods have hyphens too, such as `VERSION-CONTROL` (RFC 9110 section 16.1). */
const METHOD = "[A-Z]+(?:-[A-Z]+)*";
/** White space only inside templates. */
const URL =
  `(?:[^\\s{]|\\{\\{\\s*${REFERENCE_PATTERN}\\s*\\}\\}|${BRACES_PATTERN}|\\{(?!\\{))+`;
const FORM = new RegExp(`^(${METHOD}) (${URL})$`);
/** RFC 9110 section 9.3.6: its target is no URL, and its response no end of the exchange. */
const TUNNEL = "CONNECT";
const NO_TUNNEL = "`CONNECT` opens a tunnel, which is no request of a flow";

const entries = {
  method: v.pipe(
    v.string(),
    v.regex(new RegExp(`^${METHOD}$`)),
    v.check((method) => method !== TUNNEL, NO_TUNNEL),
    v.metadata({ words: METHODS }),
  ),
  url: url.schema,
};

/** How one begins. */
export const CALL_SUGGESTIONS: Suggestions = {
  words: METHODS.map((method) => `${method} /`),
};

/** `"METHOD /path"`: the method and the URL of a request. */
export const callLine: ObjectValue<{ method: string; url: string }> = {
  entries,
  schema: v.strictObject(entries) as never,
  form: { type: "string", pattern: FORM.source },
  parts: (value, pointer) => url.parts!(value.url, child(pointer, "url")),
  read(slot) {
    const way = "method and URL are one text, such as `call: GET /path`";
    if (!slot.scalar('`call` must be "METHOD /path"', way)) return;
    const text = templated.read(slot);
    if (text === undefined) return;
    const [, method, address] = FORM.exec(text) ?? [];
    if (method === TUNNEL) {
      return slot.report({
        code: "bad-call",
        message: NO_TUNNEL,
        hint: "`bench run --proxy URL` sends all requests through a proxy",
      });
    }
    if (method && address) return { method, url: address };
    return slot.report({ code: "bad-call", ...explain(text) });
  },
};

/** Why a text is no `"METHOD /path"`, and the way out. */
function explain(text: string): { message: string; hint: string } {
  const [, address] = new RegExp(`^${METHOD} (\\S.*)$`).exec(text) ?? [];
  if (address !== undefined) {
    const [written, name] = [...address.matchAll(ONE_BRACE)]
      .find(([each]) => /\s/.test(each)) ?? [];
    if (written !== undefined) {
      return {
        message: `\`${written}\` is not a template`,
        hint: asTemplate(written, name!),
      };
    }
    return {
      message: `the URL "${address}" has a space in it`,
      hint: "write a space as %20, or put values into `query`",
    };
  }
  const plain = text.replaceAll(/[“”„‘’«»]/g, "");
  if (FORM.test(plain) && !FORM.test(text)) {
    return {
      message: `"${text}" has typographic quotes, which YAML does not know`,
      hint: `did you mean "${plain}"?`,
    };
  }
  const message = `\`call\` must be "METHOD /path", but it is "${text}"`;
  const [first = "", second] = text.trim().split(/\s+/);
  const isWord = new RegExp(`^${METHOD}$`, "i").test(first);
  const method = first.toUpperCase();
  const hint = second === undefined
    ? isWord
      ? `add the path: ${method} /path`
      : `put the method in front: GET ${first}`
    : isWord
    ? `did you mean "${method} ${second}"?`
    : "the method is upper case letters, with hyphens perhaps, then one space, then the URL";
  return { message, hint };
}

/** The request of a `call` and a `poll`. */
export function checkCalls(
  steps: readonly KindStep<HttpBlock>[],
  report: Report,
): void {
  checkBodies(steps, report);
  for (const { block: { url = "", body }, pointer } of steps) {
    const odd = oddPayload(body);
    if (odd) report({ ...odd, at: `${pointer}/block/body` });
    const [scheme = "", kind] = /^(ws|grpc)s?(?=:\/\/)/i.exec(url) ?? [];
    if (kind === undefined) continue;
    report({
      at: { pointer: `${pointer}/block/url`, inside: scheme },
      code: "other-protocol",
      message: `\`${scheme}://\` is sent to as plain HTTP here`,
      hint: `a \`${kind.toLowerCase()}\` step speaks that protocol`,
      severity: "warning",
    });
  }
}

const block = inline(callLine, REQUEST_FIELDS);

/** One HTTP request; any response is accepted, then extracted and asserted. */
export const call: Protocol<ValueOf<typeof block>> = {
  kind: "call",
  doc: 'an HTTP request, "METHOD /path"',
  block,
  keys: STEP_KEYS,
  requests: true,
  facts: callFacts,
  checkFlow: checkCalls,
  checkFiles: checkBodyFiles,
  suggest: (path) => path.length === 0 ? CALL_SUGGESTIONS : {},
  open: async (block, tools) =>
    openHttp(block, tools, { body: await compileBody(block, tools) }),
};
