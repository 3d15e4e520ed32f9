import { deepStrictEqual } from "node:assert/strict";
import { resultOfScript, ROOT } from "../../../support/program.ts";

const MODULE = new URL("lib/base/process/time_slice.ts", `file://${ROOT}`);

/**
 * Its own slice, in nanoseconds, and how nice it is, as the system knows them. A slice is
 * inherited, so the process gives itself one of 3 ms first.
 */
const PRINT = `
import { setPriority, getPriority } from "node:os";
const slice = () =>
  Number(/se.slice *: *(\\d+)/.exec(Deno.readTextFileSync("/proc/self/sched"))?.[1]);
const libc = Deno.dlopen("libc.so.6", {
  syscall: { parameters: ["i64", "i64", "buffer", "i64"], result: "i64" },
});
const attributes = new DataView(new ArrayBuffer(48));
attributes.setUint32(0, 48, true);
attributes.setBigUint64(24, 3000000n, true);
const call = { x86_64: 314n, aarch64: 274n }[Deno.build.arch];
libc.symbols.syscall(call, 0n, attributes.buffer, 0n);
setPriority(5);
const before = slice();
shortenTimeSlice();
console.log(before, slice(), getPriority());`;

async function shortened(script: string, ...permissions: string[]) {
  const code = `
import { shortenTimeSlice } from ${JSON.stringify(MODULE.href)};
${script}`;
  return await resultOfScript(code, permissions);
}

/** Each thread has a slice of its own from 6.12 on. */
function knowsSlices(): boolean {
  if (Deno.build.os !== "linux") return false;
  const [major = 0, minor = 0] = Deno.osRelease().split(".").map(Number);
  return major > 6 || major === 6 && minor >= 12;
}

Deno.test(
  "shortenTimeSlice gives this thread turns of 0.1 ms, as nice as it was",
  { ignore: !knowsSlices() },
  async () => {
    const result = await shortened(PRINT, "-A");
    deepStrictEqual(result, {
      code: 0,
      stdout: "3000000 100000 5\n",
      stderr: "",
    });
  },
);

Deno.test("shortenTimeSlice changes nothing where it is not allowed", async () => {
  const result = await shortened('shortenTimeSlice(); console.log("goes on")');
  deepStrictEqual(result, { code: 0, stdout: "goes on\n", stderr: "" });
});
