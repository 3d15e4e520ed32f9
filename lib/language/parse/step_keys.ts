import { CAPTURES, ON_FAILURE } from "../../model/ir/flow.ts";
import { HEADERS_FORM, QUERY_FORM } from "../../steps/http/block.ts";
import type { Protocol, StepKey } from "../../steps/protocol.ts";
import { protocols } from "../../steps/registry.ts";
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
import type { KeyRule, KeyTable } from "../source/mapping.ts";
import { mappingWith } from "../source/mapping_form.ts";
import { RETRY_FORM } from "./retry.ts";
import { THROTTLE_FORM } from "./throttle.ts";

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

/** What the SDK can say besides. */
export const SDK_STEP_KEYS: KeyTable = {
  ...STEP_KEYS,
  capture: {
    doc: `how much a kept trace holds: ${CAPTURES.join(", ")}`,
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
