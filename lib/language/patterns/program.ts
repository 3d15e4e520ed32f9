import { BenchError } from "../../base/errors/bench_error.ts";
import type { PatternNode } from "./syntax.ts";

/** What an automaton does at one of its states. */
export type Instruction =
  | { readonly kind: "atom"; readonly atom: number; readonly next: number }
  | {
    readonly kind: "assertion";
    /** Which bit says that it holds. */
    readonly bit: number;
    readonly next: number;
  }
  /** Goes on in all of these at once. */
  | { readonly kind: "fork"; readonly next: number[] }
  | { readonly kind: "accept" };

/** More would make a step over one character slow. */
const MOST_INSTRUCTIONS = 20_000;
/** A number has 32 bits, one of which is its sign. */
const MOST_ASSERTIONS = 30;

/** A pattern that is too large to be made an automaton. */
export class PatternSizeError extends BenchError {
  override readonly name = "PatternSizeError";
}

export interface Program {
  readonly instructions: readonly Instruction[];
  readonly start: number;
  /** The assertions it asks for, in the order of their bits. */
  readonly assertions: readonly number[];
  /** It reads its text from right to left. */
  readonly backward: boolean;
}

/**
 * Compiles a node to Thompson's automaton.
 *
 * @throws {PatternSizeError}
 */
export function compileProgram(
  node: PatternNode,
  backward: boolean,
): Program {
  const instructions: Instruction[] = [];
  const assertions: number[] = [];
  const add = (instruction: Instruction): number => {
    if (instructions.length >= MOST_INSTRUCTIONS) {
      throw new PatternSizeError(
        `it has more than ${MOST_INSTRUCTIONS} parts`,
      );
    }
    return instructions.push(instruction) - 1;
  };
  const start = compile(node, add({ kind: "accept" }));
  return { instructions, start, assertions, backward };

  /** @returns where `part` begins, when it is followed by `next` */
  function compile(part: PatternNode, next: number): number {
    switch (part.kind) {
      case "atom":
        return add({ kind: "atom", atom: part.atom, next });
      case "assertion":
        return add({ kind: "assertion", bit: bitOf(part.assertion), next });
      case "choice":
        return add({
          kind: "fork",
          next: part.parts.map((each) => compile(each, next)),
        });
      case "sequence": {
        const parts = backward ? part.parts : part.parts.toReversed();
        return parts.reduce((after, each) => compile(each, after), next);
      }
      case "repeat":
        return repeat(part.part, part.min, part.max, next);
      case "back reference":
        throw new TypeError("no automaton has back references");
    }
  }

  function bitOf(assertion: number): number {
    const known = assertions.indexOf(assertion);
    if (known >= 0) return known;
    if (assertions.length < MOST_ASSERTIONS) {
      return assertions.push(assertion) - 1;
    }
    throw new PatternSizeError(
      `it has more than ${MOST_ASSERTIONS} anchors and look-arounds`,
    );
  }

  function repeat(
    part: PatternNode,
    min: number,
    max: number,
    next: number,
  ): number {
    let begin = next;
    if (max === Infinity) {
      const into: number[] = [next];
      begin = add({ kind: "fork", next: into });
      into.push(compile(part, begin));
    } else {
      for (let count = min; count < max; count++) {
        begin = add({ kind: "fork", next: [next, compile(part, begin)] });
      }
    }
    for (let count = 0; count < min; count++) {
      const size = instructions.length;
      begin = compile(part, begin);
      // Nothing as often as one likes is nothing.
      if (instructions.length === size) break;
    }
    return begin;
  }
}
