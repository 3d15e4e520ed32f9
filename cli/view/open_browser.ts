import { systemWorld } from "../inputs/world.ts";

/** What opens an address on each system. */
const OPENERS: Readonly<Partial<Record<typeof Deno.build.os, string[]>>> = {
  darwin: ["open"],
  windows: ["cmd", "/c", "start", ""],
};

/**
 * Opens an address in the user's browser: `BROWSER`, else what the system opens
 * addresses with. A machine without any has the address in what is printed.
 */
export function openBrowser(url: string): void {
  const { env } = systemWorld;
  const own = env("BROWSER");
  const [program, ...args] = own
    ? [own]
    : OPENERS[Deno.build.os] ?? ["xdg-open"];
  try {
    new Deno.Command(program!, {
      args: [...args, url],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn().unref();
  } catch {
    // There is none.
  }
}
