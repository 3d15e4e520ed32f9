import { BenchError } from "../../base/errors/bench_error.ts";
import type { PatternNode } from "./syntax.ts";

/** What an automaton does at one of its states. */
type Instruction =
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
  const compiler = new Compiler(backward);
  const { instructions, assertions } = compiler;
  const start = compiler.compile(node, compiler.add({ kind: "accept" }));
  return { instructions, start, assertions, backward };
}

class Compiler {
  readonly instructions: Instruction[] = [];
  readonly assertions: number[] = [];

  constructor(readonly backward: boolean) {}

  add(instruction: Instruction): number {
    if (this.instructions.length >= MOST_INSTRUCTIONS) {
      throw new PatternSizeError(
        `it has more than ${MOST_INSTRUCTIONS} parts`,
      );
    }
    return this.instructions.push(instruction) - 1;
  }

  /** @returns where `part` begins, when it is followed by `next` */
  compile(part: PatternNode, next: number): number {
    switch (part.kind) {
      case "atom":
        return this.add({ kind: "atom", atom: part.atom, next });
      case "assertion": {
        const bit = this.#bitOf(part.assertion);
        return this.add({ kind: "assertion", bit, next });
      }
      case "choice":
        return this.add({
          kind: "fork",
          next: part.parts.map((each) => this.compile(each, next)),
        });
      case "sequence": {
        const parts = this.backward ? part.parts : part.parts.toReversed();
        return parts.reduce((after, each) => this.compile(each, after), next);
      }
      case "repeat":
        return this.#repeat(part.part, part.min, part.max, next);
      case "back reference":
        throw new TypeError("no automaton has back references");
    }
  }

  #bitOf(assertion: number): number {
    const known = this.assertions.indexOf(assertion);
    if (known >= 0) return known;
    if (this.assertions.length < MOST_ASSERTIONS) {
      return this.assertions.push(assertion) - 1;
    }
    throw new PatternSizeError(
      `it has more than ${MOST_ASSERTIONS} anchors and look-arounds`,
    );
  }

  #repeat(part: PatternNode, min: number, max: number, next: number): number {
    let begin = next;
    if (max === Infinity) {
      const into: number[] = [next];
      begin = this.add({ kind: "fork", next: into });
      into.push(this.compile(part, begin));
    } else {
      for (let count = min; count < max; count++) {
        const inside = this.compile(part, begin);
        begin = this.add({ kind: "fork", next: [next, inside] });
      }
    }
    for (let count = 0; count < min; count++) {
      const size = this.instructions.length;
      begin = this.compile(part, begin);
      // Nothing as often as one likes is nothing.
      if (this.instructions.length === size) break;
    }
    return begin;
  }
}
