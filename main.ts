import { buildIdentity } from "./lib/base/values/build.ts";

/** Before the command line's library is loaded, which takes as long as the rest. */
function printedVersion(): boolean {
  const [flag, ...others] = Deno.args;
  if (others.length > 0 || flag !== "--version" && flag !== "-V") return false;
  try {
    const text = `${buildIdentity("bench")}\n`;
    Deno.stdout.writeSync(new TextEncoder().encode(text));
    return true;
  } catch {
    // The program says why it cannot be written.
    return false;
  }
}

if (!printedVersion()) {
  const { main } = await import("./cli/program.ts");
  Deno.exit(await main(Deno.args));
}
