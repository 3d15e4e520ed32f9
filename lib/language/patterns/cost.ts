import type { PatternNode, PatternTree } from "./syntax.ts";

/** What a backtracking engine does at one position, at worst. */
interface Cost {
  /** In how many ways it can go on behind the node. */
  readonly ways: number;
  /** Steps to try all of them. */
  readonly steps: number;
}

/** Steps that are done before anybody notices: some milliseconds. */
export const FEW_STEPS = 1_000_000;
/** Steps that one check may take at most: less than a second. */
export const MANY_STEPS = 100_000_000;

const LONGEST = 2 ** 24;

/**
 * How long a text may be for the runtime's own engine, which backtracks, to be
 * done with it in so many steps, whatever the text is.
 */
export function longestFor(tree: PatternTree, steps: number): number {
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
