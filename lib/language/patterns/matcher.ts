import { BenchError } from "../../base/errors/bench_error.ts";
import { WorkLimitError } from "../../base/values/work.ts";
import {
  Alphabet,
  Automaton,
  compileProgram,
  Effort,
  MANY_STEPS,
  PatternSizeError,
} from "./automaton.ts";
import {
  parsePattern,
  type PatternNode,
  type PatternTree,
  type PositionAssertion,
} from "./parser.ts";

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
  #backward: Automaton | undefined;
  #anchored: Automaton | undefined;
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
    const holds = this.#assertions(text, effort);
    return this.#scan(this.#main, text, holds, effort);
  }

  /**
   * Where the first match begins: a match read backward ends there.
   *
   * @returns -1 when there is none
   * @throws {WorkLimitError} as `test` does
   */
  first(text: string): number {
    this.#backward ??= new Automaton(
      compileProgram(this.tree.root, true),
      this.#alphabet,
    );
    const effort = new Effort(MANY_STEPS);
    const found = new Uint8Array(text.length + 1);
    const holds = this.#assertions(text, effort);
    this.#scan(this.#backward, text, holds, effort, found);
    return found.indexOf(1);
  }

  /** Behind which character a match that begins at `from` ends at the latest. */
  last(text: string, from: number): number {
    // What an assertion asks for may be behind the match.
    if (this.tree.assertions.length > 0) return text.length;
    const automaton = this.#anchored ??= new Automaton(
      this.#main.program,
      this.#alphabet,
      true,
    );
    const effort = new Effort(MANY_STEPS);
    effort.spend(text.length - from);
    let end = from;
    let state = automaton.start();
    for (let at = from;;) {
      const settled = automaton.settle(state, 0, effort);
      if (settled.accepts) end = at;
      if (at === text.length || settled.takers.length === 0) return end;
      const code = this.#codeAt(text, at);
      at += code > 0xffff ? 2 : 1;
      state = automaton.step(settled, this.#alphabet.classOf(code), effort);
    }
  }

  #codeAt(text: string, at: number): number {
    return this.unicode ? text.codePointAt(at)! : text.charCodeAt(at);
  }

  #assertions(text: string, effort: Effort): readonly Holds[] {
    const holds: Holds[] = [];
    // A look-around comes after those in it.
    for (const [index, assertion] of this.tree.assertions.entries()) {
      const look = this.#looks[index];
      if (look && assertion.kind === "look") {
        const found = new Uint8Array(text.length + 1);
        this.#scan(look, text, holds, effort, found);
        const expected = assertion.negated ? 0 : 1;
        holds.push((position) => found[position] === expected);
      } else holds.push(holdsOf(assertion, text));
    }
    return holds;
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
      const code = backward ? text.charCodeAt(at - 1) : this.#codeAt(text, at);
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

/** A pattern made ready. */
export interface Matcher {
  /**
   * Whether the pattern matches somewhere in the text.
   *
   * @throws {WorkLimitError} when that cannot be said in bounded time
   */
  test(text: string): boolean;
  /**
   * The first match and its groups; undefined when there is none.
   *
   * @throws {WorkLimitError} as `test` does
   */
  exec(text: string): RegExpExecArray | undefined;
  /** How many groups it has. */
  readonly groups: number;
}

/** Where there is no automaton, texts this long can be tried at least. */
const SHORTEST_BOUND = 100;

/**
 * Compiles a pattern so that no text can keep it busy: a text is given to the
 * runtime's own engine, which backtracks, when it is short enough for that, and
 * else to an automaton.
 *
 * @param unicode with the flag `u`
 * @throws {SyntaxError} in the words of the runtime
 * @throws {BenchError} for one that a short text may keep busy for ever
 */
export function compileMatcher(source: string, unicode = false): Matcher {
  const native = new RegExp(source, unicode ? "u" : "");
  const tree = parsePattern(source, unicode);
  const short = longestFor(tree, FEW_STEPS);
  let beyond: LongMatcher | undefined;
  // An automaton is made when a text needs it, or to know that it can be made.
  if (short < SHORTEST_BOUND) beyond = matcherOfLong(native, tree, unicode);
  return {
    test(text) {
      if (text.length <= short) return native.test(text);
      beyond ??= matcherOfLong(native, tree, unicode);
      return beyond.test(text);
    },
    exec(text) {
      if (text.length <= short) return native.exec(text) ?? undefined;
      beyond ??= matcherOfLong(native, tree, unicode);
      return beyond.exec(text);
    },
    get groups() {
      return new RegExp(`${source}|`, native.flags).exec("")!.length - 1;
    },
  };
}

type LongMatcher = Pick<Matcher, "test" | "exec">;

/**
 * The match that the automaton has found the beginning of: the runtime's engine
 * reads its groups there, which takes it one position and not all of them.
 */
function execOfLong(
  linear: LinearMatcher,
  native: RegExp,
  text: string,
): RegExpExecArray | undefined {
  const at = linear.first(text);
  if (at < 0) return undefined;
  const end = linear.last(text, at);
  const { steps } = costOf(linear.tree.root, linear.tree, end - at);
  if (steps > MANY_STEPS) {
    throw new WorkLimitError(
      `the pattern may take for ever to find its groups in ${
        end - at
      } characters`,
    );
  }
  const there = new RegExp(native.source, `${native.flags}y`);
  there.lastIndex = at;
  return there.exec(text.slice(0, end)) ?? undefined;
}

function matcherOfLong(
  native: RegExp,
  tree: PatternTree,
  unicode: boolean,
): LongMatcher {
  let why = "it refers back to a group";
  let hint = "leave out the back reference, or the repetition in a repetition";
  if (!tree.hasBackReference) {
    try {
      const linear = new LinearMatcher(tree, unicode);
      return {
        test: (text) => linear.test(text),
        exec: (text) => execOfLong(linear, native, text),
      };
    } catch (error) {
      if (!(error instanceof PatternSizeError)) throw error;
      why = error.message;
      hint = "repeat less in a repetition";
    }
  }
  const bound = longestFor(tree, MANY_STEPS);
  if (bound < SHORTEST_BOUND) {
    throw new BenchError(
      `the pattern /${native.source}/ may take for ever on a text of a few characters: ${why}`,
      { code: "endless-pattern", hint },
    );
  }
  const check = (text: string) => {
    if (text.length <= bound) return;
    throw new WorkLimitError(
      `the text has ${text.length} characters, and the pattern can be tried on ${bound} at most because ${why}`,
    );
  };
  return {
    test(text) {
      check(text);
      return native.test(text);
    },
    exec(text) {
      check(text);
      return native.exec(text) ?? undefined;
    },
  };
}

/** The steps of a backtracking engine at one position, at worst. */
interface Cost {
  /** In how many ways it can go on behind the node. */
  readonly ways: number;
  /** Steps to try all of them. */
  readonly steps: number;
}

/** Steps that are done before anybody notices: some milliseconds. */
const FEW_STEPS = 1_000_000;
const LONGEST = 2 ** 24;

/**
 * How long a text may be for the runtime's own engine, which backtracks, to be
 * done with it in so many steps, whatever the text is.
 */
function longestFor(tree: PatternTree, steps: number): number {
  let longest = 0;
  for (let length = 8; length <= LONGEST; length = Math.ceil(length * 1.25)) {
    if (worstSteps(tree, length) > steps) break;
    longest = length;
  }
  return longest;
}

function worstSteps(tree: PatternTree, length: number): number {
  const { steps } = costOf(tree.root, tree, length);
  return isAnchored(tree.root, tree) ? steps : steps * (length + 1);
}

function costOf(node: PatternNode, tree: PatternTree, length: number): Cost {
  const of = (part: PatternNode) => costOf(part, tree, length);
  switch (node.kind) {
    case "atom":
      return { ways: 1, steps: 1 };
    case "back reference":
      return { ways: 1, steps: length };
    case "assertion": {
      const assertion = tree.assertions[node.assertion]!;
      // Nothing goes back into a look-around that has held.
      return assertion.kind === "look"
        ? { ways: 1, steps: of(assertion.part).steps + 1 }
        : { ways: 1, steps: 1 };
    }
    case "sequence":
      return node.parts.map(of).reduce(
        (before, { ways, steps }) => ({
          ways: before.ways * ways,
          steps: before.steps + before.ways * steps,
        }),
        { ways: 1, steps: 1 },
      );
    case "choice":
      return node.parts.map(of).reduce((before, { ways, steps }) => ({
        ways: before.ways + ways,
        steps: before.steps + steps,
      }));
    case "repeat":
      return repeated(of(node.part), node, length);
  }
}

function repeated(
  { ways, steps }: Cost,
  { min, max }: { readonly min: number; readonly max: number },
  length: number,
): Cost {
  // A round that matches nothing is the last.
  const most = Math.min(max, Math.max(min, length));
  if (ways === 1) {
    return { ways: Math.max(1, most - min + 1), steps: (most + 1) * steps };
  }
  const all = ways ** (most + 1);
  return { ways: all, steps: all * steps };
}

function isAnchored(node: PatternNode, tree: PatternTree): boolean {
  switch (node.kind) {
    case "assertion":
      return tree.assertions[node.assertion]!.kind === "start";
    case "sequence":
      return node.parts.length > 0 && isAnchored(node.parts[0]!, tree);
    case "choice":
      return node.parts.every((part) => isAnchored(part, tree));
    case "repeat":
      return node.min > 0 && isAnchored(node.part, tree);
    case "atom":
    case "back reference":
      return false;
  }
}
