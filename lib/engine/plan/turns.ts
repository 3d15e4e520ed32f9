/** How the iterations of a run go round its flows: plain data. */
export interface Turns {
  /** The iterations of each flow in one round of them. */
  readonly of: readonly number[];
  /** Each next one goes to the flow that is furthest behind its share; else one flow comes after another. */
  readonly mixed: boolean;
}

/** All iterations are of the one flow there is. */
const ONE_FLOW: Turns = { of: [1], mixed: true };

/**
 * Which flow each iteration is of. The number of an iteration, which is unique in
 * the run, alone decides: it does not matter which thread, or which machine,
 * carries it out.
 */
export class Rota {
  /** The flow of each turn of a round. */
  readonly #flows: Uint16Array;
  /** How many turns before it in the round are of the same flow. */
  readonly #before: Uint32Array;
  readonly #inRound: Uint32Array;

  constructor({ of, mixed }: Turns = ONE_FLOW) {
    const divisor = mixed ? of.reduce(commonDivisor) : 1;
    const shares = of.map((each) => each / divisor);
    this.#flows = mixed ? interleaved(shares) : inOrder(shares);
    this.#before = new Uint32Array(this.#flows.length);
    this.#inRound = new Uint32Array(of.length);
    this.#flows.forEach((flow, turn) => {
      this.#before[turn] = this.#inRound[flow]!++;
    });
  }

  /** The index of the flow that an iteration is of. */
  flowOf(iteration: number): number {
    return this.#flows[iteration % this.#flows.length]!;
  }

  /** The number of an iteration among those of its flow, which picks its rows and values. */
  numberOf(iteration: number): number {
    const { length } = this.#flows;
    const turn = iteration % length;
    const round = (iteration - turn) / length;
    return round * this.#inRound[this.#flows[turn]!]! + this.#before[turn]!;
  }
}

/** Each next turn is of the flow that is furthest behind its share; of equals, the first. */
function interleaved(shares: readonly number[]): Uint16Array {
  const all = shares.reduce((sum, each) => sum + each, 0);
  const behind = shares.map(() => 0);
  return Uint16Array.from({ length: all }, () => {
    let next = 0;
    for (const [flow, share] of shares.entries()) {
      behind[flow]! += share;
      if (behind[flow]! > behind[next]!) next = flow;
    }
    behind[next]! -= all;
    return next;
  });
}

function inOrder(shares: readonly number[]): Uint16Array {
  return Uint16Array.from(
    shares.flatMap((share, flow) => Array<number>(share).fill(flow)),
  );
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
