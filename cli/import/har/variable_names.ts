import { snakeCase } from "./likeness.ts";
import type { Source } from "./sources.ts";

/** Names that say nothing without what they belong to. */
const BARE =
  /^(?:id|key|value|href|url|uri|next|self|code|number|ref|name|slug|version|uuid|location|etag|hash)$/;
const BARE_PARENT =
  /^(?:data|result|results|response|payload|attributes|node|edges)$/;
/** Roots of templates and subjects of assertions. */
const TAKEN = ["env", "user", "status", "latency", "header"];

/** Gives variables names; none is given twice. */
export class VariableNames {
  readonly #taken = new Set(TAKEN);

  /**
   * @param path of the request whose response it is from
   */
  of(source: Source, path: string): string {
    const key = snakeCase(source.key) || "value";
    const plain = BARE.test(key) ? `${owner(source, path)}${key}` : key;
    const wanted = /^[a-z_]/.test(plain) ? plain : `v_${plain}`;
    for (let count = 1;; count++) {
      const name = count === 1 ? wanted : `${wanted}_${count}`;
      if (this.#taken.has(name)) continue;
      this.#taken.add(name);
      return name;
    }
  }
}

/** `order_` for `$.order.id`, and for `$.id` of `/orders`. */
function owner({ from }: Source, path: string): string {
  const inside = typeof from === "string"
    ? [...from.matchAll(/\.([A-Za-z_]\w*)/g)].map(([, name]) => name!)
      .slice(0, -1).filter((each) => !BARE_PARENT.test(each))
    : [];
  const parts = path.split("/").filter((each) => /^[a-z][a-z_-]*$/i.test(each));
  const thing = inside.at(-1) ?? parts.at(-1);
  return thing === undefined ? "" : `${singular(snakeCase(thing))}_`;
}

function singular(word: string): string {
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}
