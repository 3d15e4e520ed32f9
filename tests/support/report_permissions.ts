import { PERMISSIONS } from "../../lib/base/process/give_up.ts";

// Preloaded into a program under test: it says on SIGUSR2 what it may still do.
Deno.addSignalListener("SIGUSR2", () => {
  const granted = PERMISSIONS.filter((name) =>
    Deno.permissions.querySync({ name }).state === "granted"
  );
  // deno-lint-ignore no-console -- read by the test
  console.error(`granted: [${granted}]`);
});
