import { ON_FAILURE, type Step } from "../../model/ir/flow.ts";
import { HEADERS_FORM, QUERY_FORM } from "../../steps/http/block.ts";
import type { Protocol, StepKey } from "../../steps/protocol.ts";
import { protocols } from "../../steps/registry.ts";
import { readAssertions } from "../source/assertions.ts";
import {
  ASSERTION,
  AUTH,
  type Form,
  listOf,
  mappingOf,
  NAME,
  oneWord,
  PAYLOAD,
} from "../source/form.ts";
import {
  type Fields,
  type KeyRule,
  type KeyTable,
  readMapping,
} from "../source/mapping.ts";
import { mappingWith } from "../source/mapping_form.ts";
import type { Entry, Node } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import { readChoice, readString } from "../source/scalars.ts";
import type { JsonObject } from "../../base/values/json.ts";
import { child } from "../../base/values/pointer.ts";
import { readAction } from "./action.ts";
import { type FlowAuth, readStepAuth } from "./auth.ts";
import { readExtract } from "./extract.ts";
import { reportMisplaced } from "./misplaced.ts";
import { readRetry, RETRY_FORM } from "./retry.ts";
import { readThrottle, THROTTLE_FORM } from "./throttle.ts";

/** The common step keys, in the order they are listed to a person. */
const COMMON_KEYS = {
  headers: { doc: "request headers", form: HEADERS_FORM },
  query: { doc: "URL query parameters", form: QUERY_FORM },
  body: { doc: "request body, sent as JSON", form: PAYLOAD },
  extract: {
    doc: "variables taken from the answer, by JSON path",
    form: mappingOf({ type: "string", pattern: "^\\$" }, {
      ...NAME,
      not: { enum: ["env", "user"] },
    }),
  },
  assert: { doc: "assertions on the answer", form: listOf(ASSERTION) },
  retry: {
    doc: "when to try again, and how long to wait",
    form: RETRY_FORM,
  },
  throttle: {
    doc: "statuses that mean rate limiting besides 429",
    form: THROTTLE_FORM,
  },
  auth: {
    doc: "credentials of this step; overrides the flow's",
    form: AUTH,
  },
} as const satisfies Record<StepKey, KeyRule>;

/** The keys of a step, for the parser and the editor schema. */
export const STEP_KEYS: KeyTable = {
  id: {
    required: true,
    doc: "the step's name, unique in the flow",
    form: { type: "string", pattern: "^[^.@]*[^.@\\s][^.@]*$" },
  },
  ...Object.fromEntries(
    [...protocols].map(([kind, { doc, form }]): [string, KeyRule] => [
      kind,
      { doc, ...(form && { form }) },
    ]),
  ),
  ...COMMON_KEYS,
  on_failure: {
    doc: `after a failure: ${ON_FAILURE.join(", ")}`,
    form: oneWord(ON_FAILURE),
  },
};

/** A step to an editor: one action, and the keys that go with it. */
export const STEP_FORM: Form = mappingWith(STEP_KEYS, {
  oneOf: [...protocols.values()].map(formOfKind),
});

function formOfKind({ kind, keys, eitherKeys = [] }: Protocol): Form {
  const misplaced = Object.keys(COMMON_KEYS)
    .filter((key) => !keys.some((each) => each === key));
  return {
    required: [kind],
    ...(misplaced.length > 0 && {
      properties: Object.fromEntries(misplaced.map((key) => [key, false])),
    }),
    ...(eitherKeys.length > 0 && {
      allOf: eitherKeys.map((key) => ({
        not: { required: [key], properties: { [kind]: { required: [key] } } },
      })),
    }),
  };
}

/**
 * Reads one step. What cannot be read is left out, and an action that cannot
 * be read gives the empty kind.
 */
export function readStep(
  node: Node,
  index: number,
  flowAuth: FlowAuth | undefined,
  reader: Reader,
): Step {
  const pointer = `/steps/${index}`;
  reader.place(pointer, node.span);
  const what = nameOf(node, index);
  const action = readAction(node, what, reader);
  const fields = readMapping(
    node,
    STEP_KEYS,
    what,
    reader,
    (entry) => reportCondition(entry, what, reader),
  );
  action.reportMissing(fields?.node);
  if (!fields) {
    return { id: `?${index}`, kind: "", block: {}, on_failure: "record" };
  }
  const { protocol } = action;
  if (protocol) reportMisplaced(fields, protocol, what, reader);
  const block = protocol && readBlock(fields, protocol, pointer, reader);
  const id = readId(fields, index, reader);
  const onFailure = fields.get("on_failure");
  if (onFailure) {
    reader.place(child(pointer, "on_failure"), onFailure.value.span);
  }
  return {
    id,
    kind: block ? protocol.kind : "",
    block: block ?? {},
    ...readCommon(fields, protocol, pointer, reader),
    ...readStepAuth(
      fields.get("auth")?.value,
      flowAuth,
      protocol,
      block,
      pointer,
      reader,
    ),
    on_failure: (onFailure &&
      readChoice(onFailure.value, "`on_failure`", ON_FAILURE, reader)) ??
      "abort_flow",
  };
}

/** Keys of other tools for what a flow does not have. */
function reportCondition(
  { key, keySpan }: Entry,
  what: string,
  reader: Reader,
): boolean {
  if (!/^(?:if|unless|when|skip_?if|only_?if)$/i.test(key)) return false;
  reader.report(
    keySpan,
    "unknown-key",
    `unknown key \`${key}\` in ${what}`,
    "a flow has no conditions: its steps run in order, until one fails",
  );
  return true;
}

/** What a step is called in messages: by its id when that can be read. */
function nameOf(node: Node, index: number): string {
  const id = node.kind === "map"
    ? node.entries.find(({ key }) => key === "id")?.value
    : undefined;
  return id?.kind === "scalar" && id.text !== ""
    ? `step \`${id.text}\``
    : `step ${index + 1}`;
}

function readId(fields: Fields<string>, index: number, reader: Reader): string {
  // Unique and unlike any written id, so that it clashes with none.
  const placeholder = `?${index}`;
  const entry = fields.get("id");
  if (!entry) return placeholder;
  reader.place(`/steps/${index}/id`, entry.value.span);
  const id = readString(entry.value, "`id`", reader);
  if (id === undefined) return placeholder;
  const reserved = /[.@]/.exec(id)?.[0];
  if (id.trim() === "") {
    reader.report(entry.value.span, "bad-id", "a step's id cannot be empty");
  } else if (reserved) {
    reader.report(
      entry.value.span,
      "bad-id",
      `the id "${id}" has a \`${reserved}\` in it: \`.\` and \`@\` are reserved for span names`,
      `for example \`${id.replaceAll(/[.@]+/g, "_")}\``,
    );
  } else return id;
  return placeholder;
}

function readBlock(
  fields: Fields<string>,
  protocol: Protocol,
  pointer: string,
  reader: Reader,
): JsonObject | undefined {
  const entry = fields.get(protocol.kind);
  if (!entry) return;
  reader.place(child(pointer, "kind"), entry.keySpan);
  reader.place(child(pointer, "block"), entry.value.span);
  return protocol.parse({
    action: entry.value,
    pointer,
    key: (name) => protocol.keys.includes(name) ? fields.get(name) : undefined,
  }, reader);
}

/** The keys every protocol shares, as far as this one takes them. */
function readCommon(
  fields: Fields<string>,
  protocol: Protocol | undefined,
  pointer: string,
  reader: Reader,
): Pick<Step, "extract" | "assert" | "retry" | "throttle"> {
  const entry = (key: StepKey) =>
    protocol && !protocol.keys.includes(key) ? undefined : fields.get(key);
  const at = (key: StepKey) => child(pointer, key);
  const [extracts, asserts] = [entry("extract"), entry("assert")];
  const [retries, throttles] = [entry("retry"), entry("throttle")];
  const extract = extracts &&
    readExtract(extracts.value, at("extract"), reader);
  const assert = asserts &&
    readAssertions(
      asserts.value,
      "`assert`",
      at("assert"),
      reader,
      protocol?.statusNames,
    );
  const retry = retries && readRetry(retries.value, at("retry"), reader);
  const throttle = throttles &&
    readThrottle(throttles.value, at("throttle"), reader);
  return {
    ...(extract && { extract }),
    ...(assert?.length && { assert }),
    ...(retry && { retry }),
    ...(throttle && { throttle }),
  };
}
