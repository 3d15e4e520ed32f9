import type { Pool } from "../../language/ir.ts";
import type { Fixture } from "../data/table.ts";

/** What preparing a run may see of the machine. */
export interface World {
  /** Environment variables that are missing or empty refuse nothing. */
  readonly lenient?: true;
  /** The environment; only variables the flow names are asked for. */
  env(name: string): string | undefined;
  readBytes(path: string): Uint8Array;
  /**
   * Reads a fixture in place of `readFixture`; nothing is checked of one it does
   * not give.
   *
   * @throws {InputError} as that does
   */
  readFixture?(path: string, format: Pool["format"]): Fixture | undefined;
}
