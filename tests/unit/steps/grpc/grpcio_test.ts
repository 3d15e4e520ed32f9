import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { pythonHas, pythonServer } from "../../../support/python_server.ts";
import { type GrpcHarness, grpcHarness } from "./harness.ts";

/** A test against Python's grpcio, where that is installed. */
function test(
  name: string,
  run: (harness: GrpcHarness) => Promise<void>,
): void {
  Deno.test({
    name: `grpcio: ${name}`,
    ignore: !pythonHas("grpc"),
    async fn() {
      await using server = await pythonServer("grpcio_server.py");
      await using harness = grpcHarness(`http://127.0.0.1:${server.port}`);
      await run(harness);
    },
  });
}

const pending = (wish: string) => ({
  message: { text: "hi" },
  headers: { "X-Wish": wish },
});

test("a call there and back, with metadata of both ends", async (harness) => {
  for (let turn = 0; turn < 3; turn++) {
    const got = await harness.ask(pending(""));
    deepStrictEqual(
      [got.status, got.json(), got.headers("x-early"), got.headers("x-late")],
      [0, { text: "hi", count: "0", tags: [] }, ["1"], ["2"]],
    );
    deepStrictEqual(got.headers("x-raw-bin"), ["AP8"]);
  }
});

test("a status with a message beyond ASCII, and a throttle that says when to come back", async (harness) => {
  const refused = await harness.ask(pending("refuse"));
  deepStrictEqual(
    [refused.status, refused.failure?.message],
    [9, "response status was FAILED_PRECONDITION (9): café: 50%"],
  );
  const busy = await harness.ask(pending("busy"));
  deepStrictEqual(
    [busy.signal, busy.status, busy.retryAfter()],
    ["throttle", 8, 1_500],
  );
});

test("a message of 2 MB, and a request of 1 MB, through the windows", async (harness) => {
  const got = await harness.ask(pending("large"));
  strictEqual((got.json() as { text: string }).text.length, 2_000_000);
  const text = "z".repeat(1_000_000);
  const echoed = await harness.ask({ message: { text } });
  strictEqual((echoed.json() as { text: string }).text, text);
});

test("a message that is compressed is read or named", async (harness) => {
  const got = await harness.ask(pending("gzip"));
  strictEqual((got.json() as { text: string }).text.length, 2_048);
});

test("the own deadline ends a slow call, and the next one goes on", async (harness) => {
  const late = await harness.ask(pending("slow"), { timeoutMs: 100 });
  deepStrictEqual([late.signal, late.status], ["failure", 4]);
  strictEqual((await harness.ask(pending(""))).status, 0);
});
