/** One trial of a search: a level, and for which share of a full trial. */
interface NextTrial {
  readonly level: number;
  readonly share: number;
}

/** How a trial came out. */
interface TrialResult extends NextTrial {
  readonly held: boolean;
  /** The generator was the limit: it says nothing about the target. */
  readonly limited: boolean;
}

/** How a search goes. */
interface SearchOptions {
  readonly from: number;
  /** No level above it is tried. */
  readonly most: number;
  /** Levels are whole numbers. */
  readonly whole: boolean;
  /** The bounds lie no further apart than this share. */
  readonly precision: number;
}

/** The highest level that held and the lowest that did not; null where none did. */
interface SearchBounds {
  readonly lower: number | null;
  readonly upper: number | null;
}

/** Trials that look for the bounds are short, those that are bounds are whole. */
const LOOKING = 0.2;
const WHOLE = 1;
/** The first level is halved so often when it does not hold, or the generator limits it. */
const MOST_HALVINGS = 6;

/**
 * Finds the highest load that holds: doubles until a level breaks, then halves what
 * lies between, geometrically. A breach is measured twice, since one may be chance.
 * Short trials look for the bounds; what remains in the end is measured at full
 * length. A trial that the generator limited is measured once more, and never a
 * bound.
 */
export class LoadSearch {
  readonly trials: TrialResult[] = [];
  #lower: number | null = null;
  #upper: number | null = null;
  #ceiling = Infinity;
  /** A trial that is measured once more. */
  #doubt: NextTrial | undefined;
  #halvings = 0;

  constructor(readonly options: SearchOptions) {}

  /** The next trial; undefined when the bounds are known. */
  next(): NextTrial | undefined {
    if (this.#doubt) return this.#doubt;
    const level = this.#nextLevel();
    if (level !== undefined) return { level, share: LOOKING };
    return this.#unconfirmed();
  }

  /** Takes what the trial that `next` returned came to. */
  note(result: TrialResult): void {
    this.trials.push(result);
    const { level, share, held, limited } = result;
    if (limited) {
      // Once may be a neighbour of the generator, and so may once more after a
      // trial that it did not limit.
      const before = this.trials.slice(0, -1).findLast((each) =>
        each.level === level && each.share === share
      );
      const again = before?.limited ?? false;
      this.#doubt = again ? undefined : { level, share };
      if (again) {
        this.#ceiling = Math.min(this.#ceiling, level);
      }
      return;
    }
    if (held) {
      this.#doubt = undefined;
      if (this.#lower === null || level > this.#lower) this.#lower = level;
      // What broke at this level before was chance.
      if (this.#upper !== null && this.#upper <= level) this.#upper = null;
      return;
    }
    // The upper bound broke twice already, in short trials.
    const known = level === this.#upper;
    const broke = this.trials.slice(0, -1).some((each) =>
      each.level === level && each.share === share && !each.held &&
      !each.limited
    );
    if (!broke && !known) {
      this.#doubt = { level, share };
      return;
    }
    this.#doubt = undefined;
    this.#upper = Math.min(this.#upper ?? Infinity, level);
    if (this.#lower !== null && this.#lower >= level) {
      this.#lower = this.#below();
    }
  }

  get bounds(): SearchBounds {
    return { lower: this.#lower, upper: this.#upper };
  }

  /**
   * The lowest level at which the generator was the limit once more: none above it is
   * tried. Infinite without one.
   */
  get ceiling(): number {
    return this.#ceiling;
  }

  #nextLevel(): number | undefined {
    const { from, most } = this.options;
    const top = Math.min(most, this.#ceiling);
    if (this.#lower === null) {
      const above = Math.min(this.#upper ?? Infinity, this.#ceiling);
      if (above === Infinity) return Math.min(from, most);
      if (this.#halvings++ >= MOST_HALVINGS) return;
      const half = this.#rounded(above / 2);
      return half < above && half > 0 ? half : undefined;
    }
    if (this.#upper === null) {
      const double = this.#rounded(this.#lower * 2);
      if (double < top) return double;
      // Up to what can be tried, but for a ceiling of the generator.
      return most < this.#ceiling && this.#lower < most ? most : undefined;
    }
    return this.#between(this.#lower, Math.min(this.#upper, this.#ceiling));
  }

  #between(lower: number, upper: number): number | undefined {
    if (upper <= lower * (1 + this.options.precision)) return;
    const middle = this.#rounded(Math.sqrt(lower * upper));
    return middle > lower && middle < upper ? middle : undefined;
  }

  /** The lower bound first: when it does not hold, the search goes on below. */
  #unconfirmed(): NextTrial | undefined {
    for (const level of [this.#lower, this.#upper]) {
      if (level === null) continue;
      const whole = this.trials.some((each) =>
        each.level === level && each.share === WHOLE && !each.limited
      );
      if (!whole && level < this.#ceiling) return { level, share: WHOLE };
    }
  }

  /** The highest level below the upper bound that held and never broke since. */
  #below(): number | null {
    const held = this.trials.filter((each) =>
      each.held && !each.limited && each.level < this.#upper!
    );
    return held.length === 0
      ? null
      : Math.max(...held.map(({ level }) => level));
  }

  #rounded(level: number): number {
    return this.options.whole
      ? Math.round(level)
      : Number(level.toPrecision(4));
  }
}
