import { deepStrictEqual, equal } from "node:assert/strict";
import {
  coreWaitMs,
  cpuSeconds,
  listeningInodes,
} from "../../../../lib/results/samples/process_text.ts";

Deno.test("coreWaitMs is the second number of schedstat, in milliseconds", () => {
  equal(coreWaitMs(() => "238778722 826562756 162\n"), 826.562756);
  equal(coreWaitMs(() => "0 0 0\n"), 0);
});

Deno.test("coreWaitMs: nothing is read from a kernel without scheduling statistics", () => {
  for (const text of ["", "\n", "12 34", "a b c", "1 2 3 4"]) {
    equal(coreWaitMs(() => text), undefined, JSON.stringify(text));
  }
});

Deno.test("cpuSeconds adds user and system time, whatever the program is called", () => {
  const rest = "S 1 42 42 0 -1 4194304 100 0 0 0 250 150 9 9 20 0 3 0 5000 1 1";
  for (const name of ["(deno)", "(a) b (c)", "(x y)"]) {
    equal(cpuSeconds(`42 ${name} ${rest}\n`), 4);
  }
  equal(cpuSeconds(""), undefined);
  equal(cpuSeconds("42 (deno) S 1"), undefined);
});

Deno.test("listeningInodes finds who listens on a port, on every address", () => {
  const tcp =
    `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:223D 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 11111 1 0000 100 0 0 10 0
   1: 00000000:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 22222 1 0000 100 0 0 10 0
   2: 0100007F:223D 0100007F:A1B2 01 00000000:00000000 00:00000000 00000000     0        0 33333 1 0000 20 4 30 10 -1
`;
  const tcp6 =
    `  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000000000000000000001000000:223D 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 44444 1 0000 100 0 0 10 0
`;
  deepStrictEqual(listeningInodes(tcp, new Set([8765])), ["11111"]);
  deepStrictEqual(listeningInodes(tcp, new Set([80, 8765])), [
    "11111",
    "22222",
  ]);
  deepStrictEqual(listeningInodes(tcp6, new Set([8765])), ["44444"]);
  deepStrictEqual(listeningInodes(tcp, new Set([9])), []);
  deepStrictEqual(listeningInodes("", new Set([80])), []);
});
