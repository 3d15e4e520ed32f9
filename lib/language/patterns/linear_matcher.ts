import { Alphabet, Automaton, Effort, MANY_STEPS } from "./automaton.ts";
import { compileProgram } from "./program.ts";
import type { PatternNode, PatternTree, PositionAssertion } from "./syntax.ts";

/** Whether an assertion holds at a position of a text. */
type Holds = (position: number) => boolean;

/**
 * Finds out whether a pattern matches somewhere in a text, in time that grows
 * with the text alone. A look-around is matched by itself first, over the whole
 * text, and is then a property of positions like `^` is.
 */
export class LinearMatcher {
  readonly #alphabet: Alphabet;
  readonly #main: Automaton;
  /** By the number of the assertion. */
  readonly #looks: readonly (Automaton | undefined)[];

  /**
   * @param unicode characters are code points, not UTF-16 units
   * @throws {PatternSizeError}
   */
  constructor(readonly tree: PatternTree, readonly unicode: boolean) {
    this.#alphabet = new Alphabet(tree.atoms);
    const machine = (part: PatternNode, backward: boolean) =>
      new Automaton(compileProgram(part, backward), this.#alphabet);
    this.#main = machine(tree.root, false);
    this.#looks = tree.assertions.map((each) =>
      // Where a text ahead begins is found from its end.
      each.kind === "look" ? machine(each.part, !each.behind) : undefined
    );
  }

  /** @throws {WorkLimitError} when even so it takes too long */
  test(text: string): boolean {
    const effort = new Effort(MANY_STEPS);
    const holds: Holds[] = [];
    // A look-around stands behind those in it.
    for (const [index, assertion] of this.tree.assertions.entries()) {
      const look = this.#looks[index];
      if (look && assertion.kind === "look") {
        const found = new Uint8Array(text.length + 1);
        this.#scan(look, text, holds, effort, found);
        const expected = assertion.negated ? 0 : 1;
        holds.push((position) => found[position] === expected);
      } else holds.push(holdsOf(assertion, text));
    }
    return this.#scan(this.#main, text, holds, effort);
  }

  /** @param found takes all positions that match; without it, one is enough */
  #scan(
    automaton: Automaton,
    text: string,
    holds: readonly Holds[],
    effort: Effort,
    found?: Uint8Array,
  ): boolean {
    effort.spend(text.length);
    const { backward, assertions } = automaton.program;
    const asked = assertions.map((each) => holds[each]!);
    // `^` and `$` alone hold nowhere inside.
    const everywhere = assertions.some((each) =>
      !/^(?:start|end)$/.test(this.tree.assertions[each]!.kind)
    );
    const end = backward ? 0 : text.length;
    let at = backward ? text.length : 0;
    let state = automaton.start();
    for (;;) {
      let bits = 0;
      if (everywhere || at === 0 || at === text.length) {
        for (let bit = 0; bit < asked.length; bit++) {
          if (asked[bit]!(at)) bits |= 1 << bit;
        }
      }
      const settled = automaton.settle(state, bits, effort);
      if (settled.accepts) {
        if (!found) return true;
        found[at] = 1;
      }
      if (at === end) return false;
      const code = backward
        ? text.charCodeAt(at - 1)
        : this.unicode
        ? text.codePointAt(at)!
        : text.charCodeAt(at);
      at += backward ? -1 : code > 0xffff ? 2 : 1;
      state = automaton.step(settled, this.#alphabet.classOf(code), effort);
    }
  }
}

function holdsOf(assertion: PositionAssertion, text: string): Holds {
  const isLineEnd = (at: number) => /[\n\r\u2028\u2029]/.test(text.charAt(at));
  const isWord = (at: number) => /\w/.test(text.charAt(at));
  const { length } = text;
  switch (assertion.kind) {
    case "start":
      return (position) => position === 0;
    case "end":
      return (position) => position === length;
    case "line start":
      return (position) => position === 0 || isLineEnd(position - 1);
    case "line end":
      return (position) => position === length || isLineEnd(position);
    case "boundary":
      return (position) =>
        (isWord(position - 1) !== isWord(position)) !== assertion.negated;
    case "look":
      throw new TypeError("a look-around is matched by itself");
  }
}
