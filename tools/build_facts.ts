import { run } from "./command.ts";
import { VERSION } from "../lib/base/values/build.ts";

/** The facts of a build. */
export interface BuildFacts {
  readonly version: string;
  /** Abbreviated; `unknown` outside a repository. */
  readonly commit: string;
  /** When that commit was made: the time of every file that is built. */
  readonly time: Date;
  /** Triple of the machine it is for. */
  readonly target: string;
}

/** The words `--version` shows. */
export function buildWords(
  { commit, target }: BuildFacts,
  form: "compiled" | "packed",
): string {
  return `commit ${commit}, ${form} with Deno ${Deno.version.deno} for ${target}`;
}

/** Asks git, once, while building. */
export async function buildFacts(target: string): Promise<BuildFacts> {
  const commit = await git("rev-parse", "--short=12", "HEAD");
  const changes = commit && await git("status", "--porcelain", "-uno");
  return {
    version: VERSION,
    commit: commit ? commit + (changes ? "+changes" : "") : "unknown",
    time: await sourceTime(),
    target,
  };
}

/**
 * The time archives give their files: SOURCE_DATE_EPOCH, else that of the
 * commit, else the first that a ZIP file can hold.
 */
export async function sourceTime(): Promise<Date> {
  const seconds = Deno.env.get("SOURCE_DATE_EPOCH") ||
    await git("log", "-1", "--format=%ct");
  return seconds ? new Date(Number(seconds) * 1000) : new Date("1980-01-01Z");
}

async function git(...args: string[]): Promise<string> {
  try {
    const { success, stdout } = await run("git", args);
    return success ? stdout.trim() : "";
  } catch {
    return "";
  }
}
