import { deepStrictEqual, match } from "node:assert/strict";
import { resultOfScript, ROOT } from "../../../support/program.ts";

const MODULE = new URL(
  "lib/base/process/compiler_threads.ts",
  `file://${ROOT}`,
);

/** The priorities of threads by their names: the 19th field of `stat` (proc(5)). */
const PRINT = `
for (const { name } of Deno.readDirSync("/proc/self/task")) {
  const stat = Deno.readTextFileSync("/proc/self/task/" + name + "/stat");
  const end = stat.lastIndexOf(")");
  const kind = stat.includes("(V8 ") ? "compiler" : "other";
  console.log(kind, stat.slice(end + 2).split(" ")[16]);
}`;

/** Runs it before the script, in a process of its own: priorities stay. */
async function lowered(script: string, ...permissions: string[]) {
  const code = `
import { lowerCompilers } from ${JSON.stringify(MODULE.href)};
await lowerCompilers();${script}`;
  return await resultOfScript(code, permissions);
}

const ignore = Deno.build.os !== "linux";

Deno.test(
  "lowerCompilers lowers the compiler's threads and no others",
  { ignore },
  async () => {
    const { stdout } = await lowered(PRINT, "-A");
    match(stdout, /^compiler 10$/m);
    const all = [...new Set(stdout.trim().split("\n"))].sort();
    deepStrictEqual(all, ["compiler 10", "other 0"]);
  },
);

Deno.test("lowerCompilers changes nothing where it is not allowed", async () => {
  const result = await lowered('console.log("goes on")');
  deepStrictEqual(result, { code: 0, stdout: "goes on\n", stderr: "" });
});
