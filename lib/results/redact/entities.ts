/** Characters of the longest name of HTML5, and one more. */
export const LONGEST_NAME = 32;

/** Names of HTML character references, without `&` and `;`. */
let names: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  gt: ">",
  lt: "<",
  nbsp: "\u00a0",
  quot: '"',
};

/**
 * Loads the names of HTML5, about 2,000. It takes 2 ms, so that it is left out
 * where there is nothing to look for; the few above are always known.
 */
export async function loadEntityNames(): Promise<void> {
  const { characterEntities } = await import("character-entities");
  names = characterEntities;
}

/** The code point a name stands for; undefined when it is no such name. */
export function entityPoint(name: string): number | undefined {
  return Object.hasOwn(names, name) ? names[name]!.codePointAt(0) : undefined;
}
