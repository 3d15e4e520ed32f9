import { deepEqual, equal } from "node:assert/strict";
import {
  ContractRecord,
  mergeContracts,
} from "../../../../lib/results/record/contract_record.ts";
import type { ContractResult } from "../../../../lib/model/result/contract.ts";
import type {
  IterationResult,
  StepResult,
} from "../../../../lib/model/result/iteration.ts";

function broken(message: string, schema = "Pet/type"): ContractResult {
  return {
    operation: "GET /pets",
    status: 200,
    violations: [{ rule: "schema", schema, message }],
  };
}

/** The record of steps of one iteration after the other. */
function recordOf(
  ...steps: [step: number, contract: ContractResult[], secrets?: string[]][]
): ContractRecord {
  const record = new ContractRecord();
  for (const [iteration, [step, contract, secrets]] of steps.entries()) {
    const result = { iteration, ...(secrets && { secrets }) };
    record.note(
      { step, contract } as unknown as StepResult,
      result as unknown as IterationResult,
    );
  }
  return record;
}

Deno.test("ContractRecord groups violations by operation, status and place, whatever the item", () => {
  const { operations, violations, undescribed } = recordOf(
    [0, [broken("/0/id must be integer")]],
    [2, [broken("/17/id must be integer")]],
    [0, [broken("/0/name must be string", "Pet/name")]],
    [0, [{ ...broken(""), violations: [] }]],
    [3, [{ status: 404, violations: [] }]],
  ).data();
  deepEqual(operations, [{ operation: "GET /pets", checked: 4, broken: 3 }]);
  deepEqual(
    violations.map((
      { message, count, steps, iteration },
    ) => [message, count, steps, iteration]),
    [
      ["/0/id must be integer", 2, [0, 2], 0],
      ["/0/name must be string", 1, [0], 2],
    ],
  );
  deepEqual(undescribed, [3]);
});

Deno.test("ContractRecord keeps no more than 200 groups, and no secret of an iteration", () => {
  const many = Array.from(
    { length: 250 },
    (_, i): [number, ContractResult[]] => [0, [broken("x", `Pet/${i}`)]],
  );
  const { violations, other } = recordOf(...many).data();
  deepEqual([violations.length, other], [200, 50]);
  const [hidden] = recordOf([0, [broken("not tok-12345678")], ["tok-12345678"]])
    .data().violations;
  equal(hidden!.message, "not [redacted]");
});

Deno.test("mergeContracts() adds up, and keeps the earliest of a group", () => {
  equal(mergeContracts([undefined, undefined]), undefined);
  const one = recordOf([1, [broken("/3 must be object")]]).data();
  const two = recordOf(
    [0, []],
    [0, [broken("/4 must be object")]],
    [0, [broken("/5 must be object")]],
  ).data();
  const merged = mergeContracts([two, undefined, one])!;
  deepEqual(merged.operations, [
    { operation: "GET /pets", checked: 3, broken: 3 },
  ]);
  const [{ message, count, steps }] = merged.violations as [
    typeof merged.violations[number],
  ];
  deepEqual([message, count, steps.toSorted()], ["/3 must be object", 3, [
    0,
    1,
  ]]);
});
