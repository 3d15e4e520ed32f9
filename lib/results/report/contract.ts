import { sum } from "../../base/values/sum.ts";
import type {
  ContractSummary,
  ViolationGroup,
} from "../../model/result/contract.ts";
import { countText, plural, shareText } from "./figures.ts";

/** How many responses were held against the description, and how many did not fit. */
export function contractSentence(
  { operations, sampled, unreached }: ContractSummary,
): string {
  const checked = sum(operations, (each) => each.checked);
  const broken = sum(operations, (each) => each.broken);
  const described = operations.length + unreached.length;
  const sample = sampled < 1
    ? `, the first ones and ${shareText(sampled)} of the others`
    : "";
  return `${plural(checked, "response")} checked${sample}: ${
    broken === 0
      ? "all are as described"
      : `${countText(broken)} ${broken === 1 ? "is" : "are"} not as described`
  }; ${countText(operations.length)} of ${
    plural(described, "operation")
  } reached`;
}

/** The violation by which a run failed; undefined where none did. */
export function brokenSentence(
  { contract }: { readonly contract?: ContractSummary },
): string | undefined {
  const [first, ...others] = contract?.violations ?? [];
  if (!first || contract?.contract !== "fail") return undefined;
  const { operation, status, message } = first;
  const more = others.length === 0
    ? ""
    : `, and ${plural(others.length, "other violation")}`;
  return `Responses are not as described: ${operation} ${status}: ${message}${more}`;
}

/** `GET /pets/{petId} 200 Pet/properties/name/type` */
export function violationName(
  { operation, status, schema }: ViolationGroup,
): string {
  return [operation, status, schema].filter((each) => each !== undefined)
    .join(" ");
}

/** Names of a list, as many as are of use. */
export function someOf(names: readonly string[], most: number): string {
  const others = names.length - most;
  return names.slice(0, most).join(", ") +
    (others > 0 ? ` and ${countText(others)} more` : "");
}
