import { join } from "node:path";

/**
 * Whether tests that need a tool are skipped: it is missing, and nothing requires
 * the tools (BENCH_REQUIRE_TOOLS, as CI does).
 */
export function isMissing(tool: string): boolean {
  if (Deno.env.get("BENCH_REQUIRE_TOOLS")) return false;
  try {
    return !new Deno.Command(tool, { args: ["--version"] }).outputSync()
      .success;
  } catch {
    return true;
  }
}

/** Ends the name of a test that is skipped, so that it says so. */
export function needs(tool: string): string {
  return isMissing(tool) ? ` (needs ${tool}: apt-get install -y ${tool})` : "";
}

/** Whether the folders of `path` have a program of that name. */
export function onPath(
  program: string,
  path: string = Deno.env.get("PATH") ?? "",
): boolean {
  return path.split(":").some((folder) => {
    try {
      return Deno.statSync(join(folder, program)).isFile;
    } catch {
      return false;
    }
  });
}
