import { strictEqual } from "node:assert/strict";

const LIBRARY = new URL("../../../../mod.ts", import.meta.url).pathname;

Deno.test("mod.ts loads in a program that may not see the environment", async () => {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", "--allow-read", LIBRARY],
  }).output();
  strictEqual(code, 0, new TextDecoder().decode(stderr));
});
