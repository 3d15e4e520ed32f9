import { VERSION } from "../lib/values/version.ts";

/** What a build says of itself. */
export interface BuildFacts {
  readonly version: string;
  /** Abbreviated; `unknown` outside a repository. */
  readonly commit: string;
  /** Triple of the machine it is for. */
  readonly target: string;
}

/** The words `--version` shows. */
export function buildWords(
  facts: BuildFacts,
  form: "compiled" | "packed",
): string {
  return `commit ${facts.commit}, ${form} with Deno ${Deno.version.deno} for ${facts.target}`;
}

/** Asks git, once, while building. */
export async function buildFacts(target: string): Promise<BuildFacts> {
  const commit = await git("rev-parse", "--short=12", "HEAD");
  const changes = commit && await git("status", "--porcelain", "-uno");
  return {
    version: VERSION,
    commit: commit ? commit + (changes ? "+changes" : "") : "unknown",
    target,
  };
}

async function git(...args: string[]): Promise<string> {
  try {
    const { success, stdout } = await new Deno.Command("git", {
      args,
      stderr: "null",
    }).output();
    return success ? new TextDecoder().decode(stdout).trim() : "";
  } catch {
    return "";
  }
}
