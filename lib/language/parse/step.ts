import { CAPTURES, ON_FAILURE, type Step } from "../../model/ir/flow.ts";
import type { Protocol, StepKey } from "../../steps/protocol.ts";
import { readAssertions } from "../source/assertions.ts";
import { type Fields, readMapping } from "../source/mapping.ts";
import type { Entry, Node } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import { readChoice, readString } from "../source/scalars.ts";
import type { JsonObject } from "../../base/values/json.ts";
import { child } from "../../base/values/pointer.ts";
import { readAction } from "./action.ts";
import { type FlowAuth, readStepAuth } from "./auth.ts";
import { readExtract } from "./extract.ts";
import { reportMisplaced } from "./misplaced.ts";
import { readRetry } from "./retry.ts";
import { SDK_STEP_KEYS, STEP_KEYS } from "./step_keys.ts";
import { readThrottle } from "./throttle.ts";

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
  reader.place(pointer, node.at);
  const what = nameOf(node, index);
  const action = readAction(node, what, reader);
  const fields = readMapping(
    node,
    reader.surface === "sdk" ? SDK_STEP_KEYS : STEP_KEYS,
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
    reader.place(child(pointer, "on_failure"), onFailure.value.at);
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
    ...readCapture(fields, pointer, reader),
  };
}

/** Keys of other tools for what a flow does not have. */
function reportCondition(
  { key, keyAt }: Entry,
  what: string,
  reader: Reader,
): boolean {
  if (!/^(?:if|unless|when|skip_?if|only_?if)$/i.test(key)) return false;
  reader.report({
    at: keyAt,
    code: "unknown-key",
    message: `unknown key \`${key}\` in ${what}`,
    hint: "a flow has no conditions: its steps run in order, until one fails",
  });
  return true;
}

function readCapture(
  fields: Fields<string>,
  pointer: string,
  reader: Reader,
): Pick<Step, "capture"> {
  const entry = fields.get("capture");
  if (!entry) return {};
  reader.place(child(pointer, "capture"), entry.value.at);
  const capture = readChoice(entry.value, "`capture`", CAPTURES, reader);
  return capture ? { capture } : {};
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
  reader.place(`/steps/${index}/id`, entry.value.at);
  const id = readString(entry.value, "`id`", reader);
  if (id === undefined) return placeholder;
  const reserved = /[.@]/.exec(id)?.[0];
  if (id.trim() === "") {
    reader.report({
      at: entry.value.at,
      code: "bad-id",
      message: "a step's id cannot be empty",
    });
  } else if (reserved) {
    reader.report({
      at: entry.value.at,
      code: "bad-id",
      message:
        `the id "${id}" has a \`${reserved}\` in it: \`.\` and \`@\` are reserved for span names`,
      hint: `for example \`${id.replaceAll(/[.@]+/g, "_")}\``,
    });
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
  reader.place(child(pointer, "kind"), entry.keyAt);
  reader.place(child(pointer, "block"), entry.value.at);
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
