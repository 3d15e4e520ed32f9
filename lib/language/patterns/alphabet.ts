import type { Atom } from "./syntax.ts";

/** The basic plane by one array access, what lies beyond by a map. */
const BASIC = 0x10000;

/**
 * Sorts characters into classes: those that the same atoms take are one. What
 * an atom takes is asked of the runtime's engine, once a character.
 */
export class Alphabet {
  readonly #atoms: readonly Atom[];
  readonly #basic = new Uint16Array(BASIC);
  readonly #beyond = new Map<number, number>();
  readonly #bySignature = new Map<string, number>();
  /** For each class, which atoms take it. */
  readonly #taken: boolean[][] = [[]];

  constructor(atoms: readonly Atom[]) {
    this.#atoms = atoms;
  }

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
    const taken = this.#atoms.map((each) => each.test(char));
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
