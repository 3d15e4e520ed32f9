import { BenchError } from "../../base/errors/bench_error.ts";
import { WorkLimitError } from "../../base/values/work.ts";
import { FEW_STEPS, longestFor, MANY_STEPS } from "./cost.ts";
import { LinearMatcher } from "./linear_matcher.ts";
import { parsePattern } from "./parser.ts";
import { PatternSizeError } from "./program.ts";
import type { PatternTree } from "./syntax.ts";

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
