import * as v from "valibot";
import { type Failure, typedValue } from "./failure.ts";
import { n, object, own, type Stored } from "./stored.ts";

const s = v.string();

/** Whether a response that breaks the description fails its step. */
export type ContractMode = (typeof CONTRACT_MODES)[number];
export const CONTRACT_MODES = ["fail", "warn"] as const;

/** The part of a load run's responses that is checked, after the first ones. */
export const CONTRACT_SAMPLE = 0.01;

/** One way in which a response is not as it is described. */
export type Violation = Stored<typeof violation>;
const violation = object({
  /** `status`, `media-type`, `body` or `schema`. */
  rule: v.picklist(["status", "media-type", "body", "schema"]),
  /** The keyword of the description: `Pet/properties/name/type`. */
  schema: v.exactOptional(own),
  message: s,
  expected: v.exactOptional(typedValue),
  actual: v.exactOptional(typedValue),
});

/** Equal for violations that differ in the item of a list, or in a number, alone. */
export function violationKey(
  { rule, schema = "", message }: Violation,
): string {
  return `${rule}|${schema}|${message.replaceAll(/\d+/g, "*")}`;
}

/** A violation as the failure of its step. */
export function contractFailure(
  { operation, status }: Pick<ContractResult, "operation" | "status">,
  { message, expected, actual }: Violation,
): Failure {
  const check = `${operation} ${status}`;
  return {
    code: "contract",
    message: `${check}: ${message}`,
    check,
    ...(expected && { expected }),
    ...(actual && { actual }),
  };
}

/** A response that was held against the description. */
export interface ContractResult {
  /** `GET /pets/{petId}`; absent where the description has none for the request. */
  readonly operation?: string;
  readonly status: number;
  readonly violations: readonly Violation[];
}

/** Violations of one operation at one place of the description. */
export type ViolationGroup = Stored<typeof group>;
const group = object({
  operation: own,
  status: n,
  ...violation.entries,
  count: n,
  /** Steps that met it. */
  steps: v.array(own),
  /** A trace that shows it, when one was kept. */
  trace_id: v.exactOptional(own),
});

/** The description of a run before it starts. */
export interface ContractFacts
  extends Pick<ContractSummary, "description" | "contract" | "sampled"> {
  /** Of every operation there is. */
  readonly operations: readonly string[];
  /** The steps of `setup` and `teardown`, which are counted behind the others. */
  readonly once?: readonly string[];
}

/** How the responses of a run fit the description of the API. */
export type ContractSummary = Stored<typeof contractSummary>;
export const contractSummary = object({
  /** The description, as the user named it. */
  description: own,
  contract: v.picklist(CONTRACT_MODES),
  /** The part of a load run's responses that is checked; 1 in other modes. */
  sampled: n,
  /** Operations that steps reached, with the responses that were checked. */
  operations: v.array(object({ operation: own, checked: n, broken: n })),
  /** Most frequent first. */
  violations: v.array(group),
  /** Violations beyond those. */
  other_violations: n,
  /** Operations that no step reached. */
  unreached: v.array(own),
  /** Steps with a request that the description does not have. */
  undescribed: v.array(own),
});
