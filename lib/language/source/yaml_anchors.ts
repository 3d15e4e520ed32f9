import type { Wording } from "../../base/text/diagnostic.ts";
import type { SourceLocation } from "../../base/text/location.ts";
import type { Node } from "./node.ts";
import type { Reader } from "./reader.ts";

/** A file may refer to its anchors this often. */
const MAX_ALIASES = 100;
/** Values that aliases may add up to; stops lists that double at each level. */
const MAX_ALIASED_VALUES = 100_000;

/** The anchors of a document, as they are defined from top to bottom. */
export class Anchors {
  /** Undefined while the anchored value itself is being read. */
  readonly #defined = new Map<string, Node | undefined>();
  /** Values in each node, those behind aliases counted each time. */
  readonly #weights = new WeakMap<Node, number>();
  #aliases = 0;
  #aliasedValues = 0;
  /** Some alias stands for nothing, so that the document has a hole. */
  failed = false;

  constructor(readonly reader: Reader) {}

  /** `&name` opens a value, which cannot hold itself. */
  open(name: string): void {
    this.#defined.set(name, undefined);
  }

  /** The value of `&name` is read. */
  close(name: string, node: Node): void {
    this.#defined.set(name, node);
  }

  /** Notes how much a node holds; its parts were weighed before. */
  weigh(node: Node): void {
    const parts = node.kind === "list"
      ? node.items
      : node.kind === "map"
      ? node.entries.map(({ value }) => value)
      : [];
    const weight = parts.reduce(
      (sum, each) => sum + (this.#weights.get(each) ?? 1),
      1,
    );
    this.#weights.set(node, weight);
  }

  /** The value `*name` stands for; reports one that cannot be had. */
  resolve(name: string, at: SourceLocation): Node | undefined {
    const node = this.#defined.get(name);
    this.#aliases++;
    this.#aliasedValues += (node && this.#weights.get(node)) ?? 1;
    const code = node ? "too-many-aliases" : "undefined-alias";
    const wording = node ? this.#excess() : this.#undefined(name);
    if (!wording) return node;
    // One alias too many is reported once; each undefined one is its own error.
    if (!this.failed || !node) this.reader.report({ at, code, ...wording });
    this.failed = true;
  }

  #excess(): Wording | undefined {
    if (this.#aliases > MAX_ALIASES) {
      return { message: `a file may have at most ${MAX_ALIASES} aliases` };
    }
    if (this.#aliasedValues <= MAX_ALIASED_VALUES) return;
    const message =
      `the aliases up to here expand to more than ${MAX_ALIASED_VALUES} values`;
    return { message };
  }

  #undefined(name: string): Wording {
    const refers = `\`*${name}\` refers to`;
    return this.#defined.has(name)
      ? { message: `${refers} the value it is in` }
      : {
        message: `${refers} \`&${name}\`, which is not defined above`,
        hint: "to start a value with *, quote it",
      };
  }
}
