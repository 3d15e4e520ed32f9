import { buildIdentity } from "./lib/base/values/build.ts";

// Before the command line's library is loaded, which takes as long as the rest.
const [flag, ...others] = Deno.args;
if (others.length === 0 && (flag === "--version" || flag === "-V")) {
  Deno.stdout.writeSync(
    new TextEncoder().encode(buildIdentity("bench") + "\n"),
  );
} else {
  const { main } = await import("./cli/program.ts");
  Deno.exit(await main(Deno.args));
}
