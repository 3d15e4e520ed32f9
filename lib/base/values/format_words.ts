/** What a format says itself, in any of its files; everything else is someone's data. */
export interface FormatWords {
  readonly keys: ReadonlySet<string>;
  /** Whole values by the key they are under. */
  readonly values: ReadonlyMap<string, ReadonlySet<string>>;
}
