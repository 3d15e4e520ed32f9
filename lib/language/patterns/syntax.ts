/** A regular expression, taken apart. */
export interface PatternTree {
  readonly root: PatternNode;
  /** What can be asked of one character. */
  readonly atoms: readonly Atom[];
  /** What can be asked of a position; a look-around stands behind those in it. */
  readonly assertions: readonly PositionAssertion[];
  /** Refers to what a group matched, which no automaton can do. */
  readonly hasBackReference: boolean;
}

export type PatternNode =
  | { readonly kind: "atom"; readonly atom: number }
  | { readonly kind: "assertion"; readonly assertion: number }
  | { readonly kind: "back reference" }
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly parts: readonly PatternNode[] }
  | {
    readonly kind: "repeat";
    readonly part: PatternNode;
    readonly min: number;
    /** Infinity: as often as it fits. */
    readonly max: number;
  };

/** Whether one character is in the class, as the runtime's own engine says. */
export type Atom = RegExp;

export type PositionAssertion =
  | { readonly kind: "start" | "end" | "line start" | "line end" }
  | { readonly kind: "boundary"; readonly negated: boolean }
  | {
    readonly kind: "look";
    readonly behind: boolean;
    readonly negated: boolean;
    readonly part: PatternNode;
  };
