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
  #failed = false;

  constructor(readonly reader: Reader) {}

  /** Some alias stands for nothing, so that the document has a hole. */
  get failed(): boolean {
    return this.#failed;
  }

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
    if (!node) {
      const [why, hint] = this.#defined.has(name) ? ["the value it is in"] : [
        `\`&${name}\`, which is not defined above`,
        "to start a value with *, quote it",
      ];
      this.#fail(
        at,
        "undefined-alias",
        `\`*${name}\` refers to ${why}`,
        hint,
      );
      return;
    }
    this.#aliases++;
    this.#aliasedValues += this.#weights.get(node) ?? 1;
    if (this.#aliases > MAX_ALIASES) {
      this.#fail(
        at,
        "too-many-aliases",
        `a file may have at most ${MAX_ALIASES} aliases`,
      );
    } else if (this.#aliasedValues > MAX_ALIASED_VALUES) {
      this.#fail(
        at,
        "too-many-aliases",
        `the aliases up to here expand to more than ${MAX_ALIASED_VALUES} values`,
      );
    } else return node;
  }

  #fail(
    at: SourceLocation,
    code: string,
    message: string,
    hint?: string,
  ): void {
    // One alias too many is reported once; each undefined one is its own error.
    if (!this.#failed || code === "undefined-alias") {
      this.reader.report({
        at,
        code,
        message,
        hint,
      });
    }
    this.#failed = true;
  }
}
