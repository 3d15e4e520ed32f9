import { deepStrictEqual, ok } from "node:assert/strict";
import { resultOfScript, ROOT } from "../../../support/program.ts";

const MODULE = new URL("lib/base/process/program_pages.ts", `file://${ROOT}`);

/** The files that are mapped, in kB: before, and once all that is used is mapped again. */
const PRINT = `
const filesKb = () =>
  Number(/^RssFile:\\s+(\\d+) kB/m.exec(Deno.readTextFileSync("/proc/self/status"))[1]);
const before = filesKb();
releaseProgramPages();
new Intl.DateTimeFormat("en").format(new Date(0));
console.log(before, filesKb());`;

async function released(script: string, ...permissions: string[]) {
  const code = `
import { releaseProgramPages } from ${JSON.stringify(MODULE.href)};
${script}`;
  return await resultOfScript(code, permissions);
}

const ignore = Deno.build.os !== "linux";

Deno.test(
  "releaseProgramPages takes what the start has read out of memory",
  { ignore },
  async () => {
    const { code, stdout } = await released(PRINT, "-A");
    deepStrictEqual(code, 0);
    const [before, after] = stdout.trim().split(" ").map(Number);
    ok(after! < before! * 0.8, `${before} kB before, ${after} kB after`);
  },
);

Deno.test("releaseProgramPages changes nothing where it is not allowed", async () => {
  const result = await released(
    'releaseProgramPages(); console.log("goes on")',
  );
  deepStrictEqual(result, { code: 0, stdout: "goes on\n", stderr: "" });
});
