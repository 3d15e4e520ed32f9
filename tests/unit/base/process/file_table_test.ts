import { deepStrictEqual } from "node:assert/strict";
import { resultOfScript, ROOT } from "../../../support/program.ts";

const MODULE = new URL("lib/base/process/file_table.ts", `file://${ROOT}`);
const ignore = Deno.build.os !== "linux";

/** The room for open files, and how many of them there are, before a call and after it. */
function printRoom(count: string): string {
  return `
import { makeRoomForFiles } from ${JSON.stringify(MODULE.href)};
const room = () =>
  Number(/FDSize:\\s+(\\d+)/.exec(Deno.readTextFileSync("/proc/self/status"))[1]);
const files = () => [...Deno.readDirSync("/proc/self/fd")].length;
const before = files();
await makeRoomForFiles(${count});
console.log(room(), files() - before);`;
}

Deno.test(
  "makeRoomForFiles has the system make the room at once, and leaves no file open",
  { ignore },
  async () => {
    deepStrictEqual(await resultOfScript(printRoom("1300"), ["-A"]), {
      code: 0,
      stdout: "2048 0\n",
      stderr: "",
    });
  },
);

Deno.test(
  "makeRoomForFiles makes room for fewer where so many are not allowed",
  { ignore },
  async () => {
    const { code, stdout, stderr } = await resultOfScript(
      printRoom("2 ** 31 - 1"),
      ["-A"],
    );
    deepStrictEqual([code, stderr], [0, ""]);
    const [room = 0, more] = stdout.split(" ").map(Number);
    deepStrictEqual([room > 256, more], [true, 0]);
  },
);

Deno.test("makeRoomForFiles changes nothing where it is not allowed", async () => {
  const result = await resultOfScript(
    `
import { makeRoomForFiles } from ${JSON.stringify(MODULE.href)};
await makeRoomForFiles(1000);
console.log("goes on")`,
    [],
  );
  deepStrictEqual(result, { code: 0, stdout: "goes on\n", stderr: "" });
});
