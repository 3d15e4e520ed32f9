import type {
  ContractSummary,
  ViolationGroup,
} from "../../lib/model/result/contract.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { contractSentence } from "../../lib/results/report/contract.ts";
import { countText, typedText } from "../../lib/results/report/figures.ts";
import {
  type Column,
  DataTable,
  figure,
  naming,
} from "../markup/data_table.tsx";
import type { Markup } from "../markup/jsx_runtime.ts";
import { tracePath } from "./page_request.ts";
import { OutcomeSign, withCode } from "./parts.tsx";

/** How the responses of a run fit the description of the API; `link` is off in a report file. */
export function contractView(meta: RunMeta, link: boolean): Markup | undefined {
  const { contract } = meta;
  if (!contract) return;
  const { description, violations, other_violations, undescribed } = contract;
  const broken = violations.length > 0;
  const outcome = !broken
    ? "passed"
    : contract.contract === "fail"
    ? "failed"
    : "throttled";
  return (
    <>
      <p>
        <OutcomeSign outcome={outcome}>
          {broken ? "not as described" : "as described"}
        </OutcomeSign>{" "}
        <code>{description}</code>: {contractSentence(contract)}.
      </p>
      {broken && (
        <DataTable
          columns={columns(meta.id, link)}
          rows={byOperation(violations)}
          label="Violations by operation and place of the description"
        />
      )}
      {other_violations > 0 && (
        <p class="note">
          {countText(other_violations)} more of other kinds
        </p>
      )}
      {unreached(contract)}
      {undescribed.length > 0 && (
        <p class="note">
          Not in the description: the requests of {undescribed.join(", ")}
        </p>
      )}
    </>
  );
}

function byOperation(groups: readonly ViolationGroup[]): ViolationGroup[] {
  return [...Map.groupBy(groups, ({ operation }) => operation).values()].flat();
}

function columns(id: string, link: boolean): readonly Column<ViolationGroup>[] {
  return [
    naming(
      "operation",
      ({ operation, status }) => <code>{operation} {String(status)}</code>,
    ),
    {
      title: "place in the description",
      narrow: "line",
      cell: ({ schema, rule }) => <code>{schema ?? rule}</code>,
    },
    {
      title: "violation",
      narrow: "line",
      cell: ({ message, expected, actual }) => (
        <>
          {withCode(message)}{" "}
          {expected && <span class="more">expected {typedText(expected)}</span>}
          {" "}
          {actual && <span class="more">actual {typedText(actual)}</span>}
        </>
      ),
    },
    figure("times", ({ count }) => countText(count)),
    {
      title: "seen in",
      narrow: "line",
      cell: ({ steps, trace_id }) =>
        trace_id !== undefined && link
          ? <a href={tracePath(id, trace_id)}>{steps.join(", ")}</a>
          : steps.join(", "),
    },
  ];
}

function unreached({ unreached }: ContractSummary): Markup | undefined {
  if (unreached.length === 0) return;
  return (
    <details>
      <summary>
        {countText(unreached.length)}{" "}
        {unreached.length === 1 ? "operation" : "operations"} not reached
      </summary>
      <ul>
        {unreached.map((each) => (
          <li>
            <code>{each}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
