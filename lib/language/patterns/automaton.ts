import { BenchError } from "../../base/errors/bench_error.ts";
import { WorkLimitError } from "../../base/values/work.ts";
import type { Atom, PatternNode } from "./parser.ts";

/** An instruction of an automaton, one a state. */
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

interface Program {
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

/** Kept of all states; the automaton of a pattern may have exponentially many. */
const MOST_WEIGHT = 500_000;
/** The weight of a state beside the instructions it holds. */
const OWN_WEIGHT = 32;
/** Making a state takes so many times as long as going on from one. */
const MAKING = 10;

/** Steps that one check may take at most: less than a second. */
export const MANY_STEPS = 100_000_000;

/** Work that one test of a text may take. */
export class Effort {
  constructor(private left: number) {}

  /** @throws {WorkLimitError} when nothing is left */
  spend(steps: number): void {
    this.left -= steps;
    if (this.left < 0) {
      throw new WorkLimitError("the pattern takes too long on this text");
    }
  }
}

/** Instructions reached, before what holds at their position is known. */
interface State {
  readonly reached: readonly number[];
  /** By the assertions that hold, as bits. */
  readonly settled: (Settled | undefined)[];
}

/** A state at a position of which everything is known. */
interface Settled {
  readonly accepts: boolean;
  /** Instructions that take a character. */
  readonly takers: readonly number[];
  /** By the class of the next character. */
  readonly next: (State | undefined)[];
}

/**
 * The automaton of a program, built as texts need it: a step over a character
 * is an array access once it was taken before (Thompson's construction; the
 * subset construction, lazily).
 */
export class Automaton {
  #states = new Map<string, State>();
  #weight = 0;
  readonly #seen: Uint32Array;
  #round = 0;

  /** @param anchored a match begins at the first position, and at no other */
  constructor(
    readonly program: Program,
    readonly alphabet: Alphabet,
    readonly anchored = false,
  ) {
    this.#seen = new Uint32Array(program.instructions.length);
  }

  start(): State {
    return this.#state(this.anchored ? [this.program.start] : []);
  }

  /** The state when the assertions in `bits` hold, and no others. */
  settle(state: State, bits: number, effort: Effort): Settled {
    return state.settled[bits] ??= this.#closure(state.reached, bits, effort);
  }

  /** The state behind a character of the class. */
  step(from: Settled, characters: number, effort: Effort): State {
    return from.next[characters] ??= this.#after(from, characters, effort);
  }

  #closure(reached: readonly number[], bits: number, effort: Effort): Settled {
    const { instructions, start } = this.program;
    const takers: number[] = [];
    let accepts = false;
    const round = this.#nextRound();
    const waiting = this.anchored ? [...reached] : [start, ...reached];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (this.#seen[at] === round) continue;
      this.#seen[at] = round;
      effort.spend(MAKING);
      const instruction = instructions[at]!;
      if (instruction.kind === "accept") accepts = true;
      else if (instruction.kind === "atom") takers.push(at);
      else if (instruction.kind === "fork") {
        for (const next of instruction.next) waiting.push(next);
      } else if (bits & (1 << instruction.bit)) {
        waiting.push(instruction.next);
      }
    }
    this.#weigh(takers.length);
    return { accepts, takers, next: [] };
  }

  #after({ takers }: Settled, characters: number, effort: Effort): State {
    const { instructions } = this.program;
    const reached = new Set<number>();
    for (const at of takers) {
      effort.spend(MAKING);
      const instruction = instructions[at]!;
      if (
        instruction.kind === "atom" &&
        this.alphabet.takes(instruction.atom, characters)
      ) reached.add(instruction.next);
    }
    return this.#state([...reached].sort((a, b) => a - b));
  }

  #state(reached: readonly number[]): State {
    const key = reached.join();
    const known = this.#states.get(key);
    if (known) return known;
    this.#weigh(reached.length);
    const state = { reached, settled: [] };
    this.#states.set(key, state);
    return state;
  }

  /** Keeps only the states in use when all weigh too much; the others are built anew when they are needed. */
  #weigh(instructions: number): void {
    this.#weight += instructions + OWN_WEIGHT;
    if (this.#weight <= MOST_WEIGHT) return;
    this.#states = new Map();
    this.#weight = 0;
  }

  #nextRound(): number {
    if (this.#round === 0xffff_ffff) {
      this.#seen.fill(0);
      this.#round = 0;
    }
    return ++this.#round;
  }
}

/** The basic plane by one array access, what lies beyond by a map. */
const BASIC = 0x10000;

/**
 * Sorts characters into classes: those that the same atoms take are one. What
 * an atom takes is asked of the runtime's engine, once a character.
 */
export class Alphabet {
  readonly #basic = new Uint16Array(BASIC);
  readonly #beyond = new Map<number, number>();
  readonly #bySignature = new Map<string, number>();
  /** For each class, which atoms take it. */
  readonly #taken: boolean[][] = [[]];

  constructor(readonly atoms: readonly Atom[]) {}

  /** The class of a UTF-16 unit or code point; above 0. */
  classOf(code: number): number {
    const known = code < BASIC ? this.#basic[code]! : this.#beyond.get(code);
    return known || this.#learn(code);
  }

  /** Whether the atom takes the characters of the class. */
  takes(atom: number, characters: number): boolean {
    return this.#taken[characters]![atom]!;
  }

  #learn(code: number): number {
    const char = String.fromCodePoint(code);
    const taken = this.atoms.map((each) => each.test(char));
    const signature = taken.map(Number).join("");
    let found = this.#bySignature.get(signature);
    if (found === undefined) {
      found = this.#taken.push(taken) - 1;
      this.#bySignature.set(signature, found);
    }
    if (code < BASIC) this.#basic[code] = found;
    else this.#beyond.set(code, found);
    return found;
  }
}
