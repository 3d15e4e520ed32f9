/** What an editor may offer as a value, where the text alone does not say it. */
export interface Offer {
  /** Whole values. */
  readonly words?: readonly string[];
  /** Files below the flow file's folder that end in one of these. */
  readonly files?: readonly string[];
  /** Folders below it. */
  readonly folders?: true;
}
