import { BenchError } from "../../base/errors/bench_error.ts";
import { WorkLimitError } from "../../base/values/work.ts";
import { MANY_STEPS } from "./automaton.ts";
import { LinearMatcher } from "./linear_matcher.ts";
import { parsePattern } from "./parser.ts";
import { PatternSizeError } from "./program.ts";
import type { PatternNode, PatternTree } from "./syntax.ts";

/** A pattern made ready. */
export interface Matcher {
  /**
   * Whether the pattern matches somewhere in the text.
   *
   * @throws {WorkLimitError} when that cannot be said in bounded time
   */
  test(text: string): boolean;
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
  let beyond: Matcher | undefined;
  // An automaton is made when a text needs it, or to know that it can be made.
  if (short < SHORTEST_BOUND) beyond = matcherOfLong(native, tree, unicode);
  return {
    test(text) {
      if (text.length <= short) return native.test(text);
      beyond ??= matcherOfLong(native, tree, unicode);
      return beyond.test(text);
    },
  };
}

function matcherOfLong(
  native: RegExp,
  tree: PatternTree,
  unicode: boolean,
): Matcher {
  let why = "it refers back to a group";
  let hint = "leave out the back reference, or the repetition in a repetition";
  if (!tree.hasBackReference) {
    try {
      return new LinearMatcher(tree, unicode);
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
  return {
    test(text) {
      if (text.length <= bound) return native.test(text);
      throw new WorkLimitError(
        `the text has ${text.length} characters, and the pattern can be tried on ${bound} at most because ${why}`,
      );
    },
  };
}

/** What a backtracking engine does at one position, at worst. */
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
    default:
      return false;
  }
}
