import type { BlockFiles } from "../flow/kind.ts";

/** What an editor sees besides the text; everything is as it is right now. */
export interface Surroundings extends BlockFiles {
  /** Columns of a fixture by its path in the flow; empty when it cannot be read. */
  columns(path: string): readonly string[];
  /** Names in a folder, relative to the flow file's; those of folders end in `/`. */
  list(folder: string): readonly string[];
  /** Whether an environment variable is set; its value is not asked for. */
  isSet(variable: string): boolean;
}
