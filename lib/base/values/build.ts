/** The version of this program, as in the `User-Agent: bench/<version>` field. */
export const VERSION = "0.1.0";

/**
 * How the program was built. `deno task compile` puts its own words in place of
 * these, in the bundle, with the commit first.
 */
export const BUILD = "from source";

/** Where the checkout is; nothing looks there in a program that was built. */
const CHECKOUT = new URL("../../..", import.meta.url);

/**
 * The text of `--version`: the version, the commit, and how the program was
 * built. From a checkout the commit is the one checked out, unchanged or not.
 */
export function buildIdentity(program: string): string {
  return `${program} ${VERSION} (${buildWords()})`;
}

function buildWords(): string {
  // Not a comparison: the bundler would work that out before the words are put in.
  if (BUILD.startsWith("commit ")) return BUILD;
  const commit = checkedOut();
  const words = `${BUILD} with Deno ${Deno.version.deno}`;
  return commit ? `commit ${commit}, ${words}` : words;
}

/** Without the git program: HEAD, the branch it names, or where git packs branches. */
function checkedOut(): string | undefined {
  const head = read(".git/HEAD");
  const [, branch] = /^ref: (.+)/.exec(head) ?? [];
  if (branch === undefined) return abbreviated(head);
  return abbreviated(read(`.git/${branch}`)) ??
    abbreviated(
      read(".git/packed-refs").split("\n").find((each) =>
        each.endsWith(` ${branch}`)
      ) ?? "",
    );
}

function abbreviated(text: string): string | undefined {
  return /^[0-9a-f]{40}/.exec(text)?.[0].slice(0, 12);
}

function read(path: string): string {
  try {
    return Deno.readTextFileSync(new URL(path, CHECKOUT));
  } catch {
    return "";
  }
}
