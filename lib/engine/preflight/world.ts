/** What preparing a run may see of the machine. */
export interface World {
  /** Environment variables that are missing or empty refuse nothing. */
  readonly lenient?: true;
  /** The environment; only variables the flow names are asked for. */
  env(name: string): string | undefined;
  readBytes(path: string): Uint8Array;
}
