import { deepStrictEqual } from "node:assert/strict";
import { judgeGrpc } from "../../../../lib/steps/grpc/verdict.ts";
import { startMarks } from "../../../../lib/model/result/response.ts";
import { noResponse } from "../../../../lib/wire/net/wire_response.ts";

Deno.test("judgeGrpc: DEADLINE_EXCEEDED is a timeout when the own deadline is over, and a status before", () => {
  const judged = (end: number) => {
    const never = () => {
      throw new Error("there is no message");
    };
    const { failure: _, ...none } = noResponse(
      { code: "", message: "" },
      { ...startMarks(0), end },
    );
    const trailers = [
      ["grpc-status", "4"],
      ["grpc-message", "too slow"],
    ] as const;
    const response = { ...none, status: 200, trailers };
    const { code, failure } = judgeGrpc(response, never, 200);
    return [code, failure];
  };
  deepStrictEqual(judged(199.8), [4, {
    code: "timeout",
    message: "No complete response within 200ms: timed out on both sides",
  }]);
  deepStrictEqual(judged(150), [4, {
    code: "status",
    message: "response status was DEADLINE_EXCEEDED (4): too slow",
  }]);
});
