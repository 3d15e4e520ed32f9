import { sum } from "../../base/values/sum.ts";
import { OUTCOMES } from "../../model/outcome.ts";
import type {
  FailureGroup,
  RowSummary,
  RunMeta,
  ThresholdVerdict,
} from "../../model/result/run.ts";
import type { ONCE } from "../../model/result/trace.ts";
import { countText, plural, rowName } from "../report/figures.ts";
import type { ViolationGroup } from "../../model/result/contract.ts";
import { violationName } from "../report/contract.ts";
import { exchangesOnce } from "../failures/exchange.ts";
import {
  breachText,
  failuresBehind,
  groupText,
  isError,
  valuesText,
} from "../report/failure_texts.ts";
import { emptyLoad } from "../report/thresholds.ts";

type Exchanges = ReturnType<typeof exchangesOnce>;

/** One `<testcase>`. */
export interface Case {
  readonly name: string;
  /** Seconds; 0 when it has no time of its own. */
  readonly seconds: number;
  readonly verdict?: {
    readonly element: "failure" | "error" | "skipped";
    readonly type: string;
    readonly message: string;
    /** The details by which it is found. */
    readonly text: string;
  };
}

/** One `<testsuite>`. */
interface Suite {
  readonly name: string;
  /** RFC 3339; absent of a run that was not begun. */
  readonly timestamp?: string;
  readonly durationMs: number;
  readonly properties: readonly (readonly [name: string, value: string])[];
  readonly cases: readonly Case[];
}

/** Suites as JUnit XML, as build servers read it. */
export function renderSuites(suites: readonly Suite[]): string {
  const all = suites.flatMap(({ cases }) => cases);
  const lasted = sum(suites, ({ durationMs }) => durationMs);
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="bench" ${counts(all, lasted)}>
${suites.map(suiteText).join("")}</testsuites>
`;
}

function counts(cases: readonly Case[], durationMs: number): string {
  const count = (element: string) =>
    cases.filter(({ verdict }) => verdict?.element === element).length;
  return `tests="${cases.length}" failures="${count("failure")}" errors="${
    count("error")
  }" skipped="${count("skipped")}" time="${seconds(durationMs)}"`;
}

function suiteText(
  { name, timestamp, durationMs, properties, cases }: Suite,
): string {
  const begun = timestamp === undefined ? "" : ` timestamp="${xml(timestamp)}"`;
  return `  <testsuite name="${xml(name)}"${begun} ${counts(cases, durationMs)}>
${propertiesText(properties)}${
    cases.map((each) => caseText(each, name)).join("")
  }  </testsuite>
`;
}

/** The schema of Jenkins has no element for none. */
function propertiesText(properties: Suite["properties"]): string {
  if (properties.length === 0) return "";
  return `    <properties>
${
    properties.map(([name, value]) =>
      `      <property name="${name}" value="${xml(value)}"/>\n`
    ).join("")
  }    </properties>
`;
}

function caseText(
  { name, seconds: time, verdict }: Case,
  flow: string,
): string {
  const head = `    <testcase classname="${xml(flow)}" name="${
    xml(name)
  }" time="${seconds(time * 1_000)}"`;
  if (!verdict) return `${head}/>\n`;
  const { element, type, message, text } = verdict;
  const kind = element === "skipped" ? "" : ` type="${xml(type)}"`;
  return `${head}>
      <${element} message="${xml(message)}"${kind}>${xml(text)}</${element}>
    </testcase>
`;
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}

/** Text for an attribute or an element; what XML 1.0 has no character for shows as `\u{1}`. */
function xml(text: string): string {
  return text.toWellFormed()
    // deno-lint-ignore no-control-regex -- XML 1.0, section 2.2
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, coded)
    .replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;").replaceAll("\r", "&#13;");
}

function coded(char: string): string {
  return `\\u{${char.charCodeAt(0).toString(16)}}`;
}

/**
 * A run as JUnit XML: a test case for each row in integration and system modes,
 * and for each threshold that did not hold (failed rows speak for `error_rate`);
 * in the others for each threshold. A run that did not finish has a case `run`
 * with an error, so that no report is green by being short.
 *
 * @param rows every row of it, where `meta.json` has no room for all of them
 */
export function renderJunit(
  meta: RunMeta,
  rows: readonly RowSummary[] | undefined = meta.rows,
): string {
  return renderSuites([runSuite(meta, rows)]);
}

/** A run as one suite of several. */
export function runSuite(
  meta: RunMeta,
  rows: readonly RowSummary[] | undefined,
): Suite {
  return {
    name: meta.flow,
    timestamp: meta.started_at,
    durationMs: meta.duration_ms,
    properties: [
      ["run", meta.id],
      ["target", meta.target],
      ["mode", meta.mode],
      ["vus", String(meta.vus)],
      ["seed", String(meta.seed)],
      ["bench_version", meta.bench_version],
    ],
    cases: casesOf(meta, rows),
  };
}

/** A flow without a run as one suite of several. @param begun its run ended in an error */
export function missingSuite(flow: string, begun: boolean): Suite {
  const element = begun ? "error" : "skipped";
  const message = begun ? "the run could not be carried out" : "not begun";
  const verdict = { element, type: "not-run", message, text: "" } as const;
  const cases = [{ name: "run", seconds: 0, verdict }];
  return { name: flow, durationMs: 0, properties: [], cases };
}

function casesOf(
  meta: RunMeta,
  rows: readonly RowSummary[] | undefined,
): Case[] {
  const exchange = exchangesOnce(meta);
  const cases = [
    ...onceCases("setup", meta, exchange),
    ...loadCases(meta, rows, exchange),
    ...onceCases("teardown", meta, exchange),
    ...contractCases(meta),
  ];
  const shown = cases.some(({ verdict }) => verdict?.element === "failure");
  const whole = meta.status === "finished" && cases.length > 0 &&
    (shown || meta.verdict === "pass");
  return whole ? cases : [...cases, runCase(meta, exchange)];
}

/** A case for each step that is carried out once. */
function onceCases(
  list: (typeof ONCE)[number],
  meta: RunMeta,
  exchange: Exchanges,
): Case[] {
  const { steps = [], failures = [], trace_id } = meta[list] ?? {};
  return steps.map(({ id, outcome, duration_ms }): Case => {
    const base = { name: `${list}: ${id}`, seconds: duration_ms / 1_000 };
    if (outcome === "passed") return base;
    const own = failures.filter(({ step }) => step === id);
    const [first] = own;
    return {
      ...base,
      verdict: {
        element: outcome === null ? "skipped" : "failure",
        type: first?.code ?? "skipped",
        message: first?.message ?? "not begun",
        text: [
          ...own.flatMap((each) => details(each, exchange)),
          ...trace_id === undefined ? [] : [`trace ${trace_id}`],
        ].join("\n"),
      },
    };
  });
}

function loadCases(
  meta: RunMeta,
  rows: readonly RowSummary[] | undefined,
  exchange: Exchanges,
): Case[] {
  return rows
    ? [
      ...rows.map((row) => rowCase(row, meta, exchange)),
      ...otherRows(meta, rows),
      // Failed rows speak for `error_rate` themselves.
      ...meta.thresholds.filter(({ pass, metric }) =>
        !pass && metric !== "error_rate"
      ).map((each) => thresholdCase(each, meta, exchange)),
    ]
    : meta.thresholds.map((each) => thresholdCase(each, meta, exchange));
}

function rowCase(
  row: RowSummary,
  meta: RunMeta,
  exchange: Exchanges,
): Case {
  const name = rowName(row);
  const time = row.duration_ms / 1_000;
  if (row.outcome === "passed") return { name, seconds: time };
  const { failures, other_failures: others = 0 } = row;
  const [first] = failures;
  const beyond = failures.length - 1 + others;
  const message = first ? `${first.step}: ${first.message}` : row.outcome;
  return {
    name,
    seconds: time,
    verdict: {
      element: OUTCOMES[row.outcome].isError ||
          failures.some((each) => isError(each, meta))
        ? "failure"
        : "skipped",
      type: first?.code ?? row.outcome,
      message: beyond > 0
        ? `${message} (and ${plural(beyond, "more failure")})`
        : message,
      text: [
        ...failures.flatMap((each, index) =>
          index === 0
            ? details(each, exchange)
            : [`${each.step}: ${each.message}`, ...details(each, exchange)]
        ),
        ...(others > 0 ? [`and ${plural(others, "more failure")}`] : []),
        ...(row.trace_id === undefined ? [] : [`trace ${row.trace_id}`]),
      ].join("\n"),
    },
  };
}

/** Rows the run did not keep one by one: together they are one case. */
function otherRows(meta: RunMeta, rows: readonly RowSummary[]): Case[] {
  const others = (meta.rows ?? []).length + (meta.other_rows ?? 0) -
    rows.length;
  if (others <= 0) return [];
  const shown = rows.filter(({ outcome }) => outcome === "failed").length;
  const failed = Math.max(0, meta.iterations.failed - shown);
  return [{
    name: plural(others, "more row"),
    seconds: 0,
    ...(failed > 0 && {
      verdict: {
        element: "failure" as const,
        type: "rows",
        message: `${countText(failed)} of them failed`,
        text: meta.failures.map(groupText).join("\n"),
      },
    }),
  }];
}

function thresholdCase(
  threshold: ThresholdVerdict,
  meta: RunMeta,
  exchange: Exchanges,
): Case {
  const { expression, pass } = threshold;
  const base = { name: expression, seconds: 0 };
  if (pass) return base;
  const causes = meta.rows ? [] : failuresBehind(threshold, meta);
  const [most] = causes;
  const why = most ? `; most often ${groupText(most)}` : "";
  return {
    ...base,
    verdict: {
      element: "failure",
      type: "threshold",
      message: breachText(threshold) + why,
      text: groupsText(causes, exchange),
    },
  };
}

function groupsText(
  groups: readonly FailureGroup[],
  exchange: Exchanges,
): string {
  return groups.flatMap((each) => [groupText(each), ...details(each, exchange)])
    .join("\n");
}

/** A case an operation of the description that was reached, and one of the others. */
function contractCases({ contract }: RunMeta): Case[] {
  if (!contract) return [];
  const { operations, violations, unreached } = contract;
  const element = contract.contract === "fail" ? "failure" : "skipped";
  const cases = operations.map(({ operation, checked, broken }): Case => {
    const name = `contract ${operation}`;
    const own = violations.filter((each) => each.operation === operation);
    if (checked === 0) {
      const message = "its responses were none of the sample";
      const verdict = {
        element: "skipped",
        type: "contract",
        message,
      } as const;
      return { name, seconds: 0, verdict: { ...verdict, text: "" } };
    }
    if (broken === 0) return { name, seconds: 0 };
    return {
      name,
      seconds: 0,
      verdict: {
        element,
        type: "contract",
        message: `${countText(broken)} of ${
          plural(checked, "checked response")
        } ${broken === 1 ? "is" : "are"} not as described`,
        text: own.flatMap(violationLines).join("\n"),
      },
    };
  });
  if (unreached.length === 0) return cases;
  return [...cases, {
    name: "contract: operations that no step reached",
    seconds: 0,
    verdict: {
      element: "skipped",
      type: "contract",
      message: plural(unreached.length, "operation"),
      text: unreached.join("\n"),
    },
  }];
}

function violationLines(group: ViolationGroup): string[] {
  const { count, message, trace_id } = group;
  return [
    `${countText(count)} × ${violationName(group)}: ${message}`,
    ...valuesText(group),
    ...(trace_id === undefined ? [] : [`trace ${trace_id}`]),
  ];
}

/** The run itself, when no other case shows how it ended. */
function runCase(meta: RunMeta, exchange: Exchanges): Case {
  const base = { name: "run", seconds: meta.duration_ms / 1_000 };
  const finished = meta.status === "finished";
  if (finished && meta.verdict === "pass") return base;
  const how = finished ? "failed" : meta.status;
  // Earlier versions did not store the reason.
  const reason = meta.reason?.text ?? meta.abort_reason ?? emptyLoad(meta);
  return {
    ...base,
    verdict: {
      element: finished ? "failure" : "error",
      type: how,
      message: reason ? `${how}: ${reason}` : how,
      text: meta.rows ? "" : groupsText(meta.failures, exchange),
    },
  };
}

function details(failure: FailureGroup, exchange: Exchanges): string[] {
  return [
    ...(failure.file === undefined
      ? []
      : [`${failure.file}:${failure.line}:${failure.column}`]),
    ...valuesText(failure),
    ...exchange(failure).map((each) => `> ${each}`),
  ];
}
