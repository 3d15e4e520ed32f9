import { WorkLimitError } from "../../base/values/work.ts";
import type { Program } from "./program.ts";
import type { Atom } from "./syntax.ts";

/** Kept of all states; the automaton of a pattern may have exponentially many. */
const MOST_WEIGHT = 500_000;
/** What a state weighs beside the instructions it holds. */
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

  constructor(readonly program: Program, readonly alphabet: Alphabet) {
    this.#seen = new Uint32Array(program.instructions.length);
  }

  start(): State {
    return this.#state([]);
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
    // A match may begin at any position.
    const waiting = [start, ...reached];
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

  /** What is in use goes on; other states are built anew when they are needed. */
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
