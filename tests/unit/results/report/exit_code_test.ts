import assert from "node:assert/strict";
import { exitCode } from "../../../../lib/results/report/exit_code.ts";

const TABLE: readonly (readonly [
  rule: string,
  ending: Parameters<typeof exitCode>[0],
  code: number,
])[] = [
  ["0 when every threshold held", { verdict: "pass" }, 0],
  ["1 when the verdict failed", { verdict: "fail" }, 1],
  ["2 when the run was refused", { refused: true }, 2],
  ["3 when the run could not finish", { errored: true, verdict: "pass" }, 3],
  ["130 after SIGINT", { signal: "SIGINT", verdict: "pass" }, 130],
  ["143 after SIGTERM", { signal: "SIGTERM", verdict: "pass" }, 143],
  ["129 after SIGHUP", { signal: "SIGHUP", verdict: "pass" }, 129],
  ["2 before a signal", { refused: true, signal: "SIGINT" }, 2],
  ["the signal before 3", { signal: "SIGTERM", errored: true }, 143],
  ["the signal before 1", { signal: "SIGINT", verdict: "fail" }, 130],
  ["3 before 1", { errored: true, verdict: "fail" }, 3],
];

for (const [rule, ending, code] of TABLE) {
  Deno.test(`exitCode is ${rule}`, () => assert.equal(exitCode(ending), code));
}
