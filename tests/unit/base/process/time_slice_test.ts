import { deepStrictEqual } from "node:assert/strict";
import { resultOfScript, ROOT } from "../../../support/program.ts";

const MODULE = new URL("lib/base/process/time_slice.ts", `file://${ROOT}`);

/** Its own slice, in nanoseconds, and how nice it is, as the system knows them. */
const PRINT = `
const sched = () => Deno.readTextFileSync("/proc/self/sched");
const read = (name) => Number(new RegExp(name + " *: *(\\\\d+)").exec(sched())?.[1]);
const before = read("se.slice");
const { setPriority, getPriority } = await import("node:os");
setPriority(5);
shortenTimeSlice();
console.log(before > 100000, read("se.slice"), getPriority());`;

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
      stdout: "true 100000 5\n",
      stderr: "",
    });
  },
);

Deno.test("shortenTimeSlice changes nothing where it is not allowed", async () => {
  const result = await shortened('shortenTimeSlice(); console.log("goes on")');
  deepStrictEqual(result, { code: 0, stdout: "goes on\n", stderr: "" });
});
