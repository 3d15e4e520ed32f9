import type {
  Diagnostic,
  Diagnostics,
  Report,
} from "../../base/text/diagnostic.ts";
import type {
  Flow,
  Pool,
  Profile,
  RunFlow,
  Target,
} from "../../language/ir.ts";
import type { SourceMap } from "../../base/text/location.ts";
import type { BaseUrl } from "../../wire/net/url.ts";
import type { Fixture } from "../data/table.ts";

/** A flow that is correct by itself, or a mix of such flows. */
export interface CompiledFlow {
  /** All steps, by the names they have in the run; pools, values and cookies are those of `flows`. */
  readonly flow: Flow;
  /** The flows of a mix; the flow itself where it is none. */
  readonly flows: readonly RunFlow[];
  /** RFC 8785 bytes of the IR, as text. */
  readonly canonical: string;
  /** Where its parts were written, by JSON Pointer. */
  readonly locations: SourceMap;
  readonly file: string;
  /** The words a flow is chosen by; a mix has none. */
  readonly tags: readonly string[];
  /** Source text by file name, for frames. */
  readonly sources: ReadonlyMap<string, string>;
  /** Diagnostics that refuse nothing, for its author. */
  readonly warnings: readonly Diagnostic[];
}

/** A flow that may run against a target. */
export interface PreparedRun extends CompiledFlow {
  /** Paths in the flow are relative to it. */
  readonly directory: string;
  readonly target: Target;
  /** As the user can reach it; a document has a name alone. */
  readonly targetFile: string;
  /** Options that took the place of the profile's load, as they were typed. */
  readonly loadOptions: Readonly<Record<string, string>>;
  /** Where the target can be read again, from `directory`; absent for a document. */
  readonly targetPath?: string;
  /** The first one is what relative URLs join. */
  readonly bases: readonly [BaseUrl, ...BaseUrl[]];
  readonly env: ReadonlyMap<string, string>;
  /** The values that are stored nowhere: the environment, and credentials written out in the flow. */
  readonly secrets: readonly string[];
  /** By pool name, which in a mix has that of its flow before it: `browse/user`. */
  readonly fixtures: ReadonlyMap<string, Fixture>;
  /** Hex SHA-256 of the files that its steps name, such as `.proto` files. */
  readonly filesSha256: string;
}

/** The surroundings of a run: the variables and files that preparing it may read. */
export interface Environment {
  /** Environment variables that are missing or empty refuse nothing. */
  readonly lenient?: true;
  /** Only variables that the flow names are asked for. */
  env(name: string): string | undefined;
  /** See `readInput`. @throws as it does */
  readBytes(path: string, most: number): Uint8Array;
  /**
   * Reads a fixture in place of `readFixture`; nothing is checked of one it does
   * not give.
   *
   * @throws {InputError} as that does
   */
  readFixture?(path: string, format: Pool["format"]): Fixture | undefined;
}

/** A flow as far as it can be read, whatever is wrong with it. */
export interface ReadFlow
  extends
    Pick<CompiledFlow, "flow" | "file" | "tags">,
    Pick<RunFlow, "weight" | "pointer"> {
  /** Paths in it are relative to it. */
  readonly directory: string;
  /** The directory from the folder of its mix; absent where that is it. */
  readonly below?: string;
  /** It was read from IR, which another program may have spelt. */
  readonly isIr: boolean;
  readonly locations: SourceMap;
  /** The flow with what may be opened alone: see `validateFlow`. */
  readonly opened: Flow;
  /** See `Reader.leftTemplates`. */
  readonly leftTemplates: ReadonlyMap<string, string>;
  /** See `Reader.isSound`. */
  isSound(pointer: string): boolean;
}

/** A flow by itself or a mix, as far as it can be read. */
export interface ReadRun extends Pick<CompiledFlow, "file" | "locations"> {
  /** Its name; absent of a flow by itself. */
  readonly mix?: string;
  /** As asked for. */
  readonly profile: Profile;
  readonly flows: readonly ReadFlow[];
  /** See `Reader.isSound`, of the profile. */
  isSound(pointer: string): boolean;
}

/** A flow whose files are read, and the collector of their diagnostics. */
export interface FlowFiles {
  readonly read: ReadFlow;
  /** Paths in the flow are relative to it. */
  readonly directory: string;
  readonly environment: Environment;
  readonly report: Report;
  readonly diagnostics: Diagnostics;
}

/** Whether these are the flows of a mix, which may be one. */
export function isMix(flows: PreparedRun["flows"]): boolean {
  return flows.some(({ prefix }) => prefix !== "");
}
