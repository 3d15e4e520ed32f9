import type { Report } from "../../base/text/diagnostic.ts";
import type { Diagnostics } from "../../base/text/diagnostics.ts";
import type { Flow, Pool } from "../../language/ir.ts";
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

/** A flow whose files are read, and the collector of their diagnostics. */
export interface FlowFiles {
  readonly flow: Flow;
  /** Paths in the flow are relative to it. */
  readonly directory: string;
  readonly world: World;
  readonly report: Report;
  readonly diagnostics: Diagnostics;
}
