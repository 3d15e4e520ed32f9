import type { JsonObject, JsonValue } from "../../../lib/base/values/json.ts";
import type { EnvVariable } from "./credentials.ts";

/**
 * Where a variable comes from, as a flow file says it: a JSON path, `header.ETag`,
 * `cookie.sid`, or the attribute of an element.
 */
export type DraftSource =
  | string
  | { readonly css: string; readonly attribute: string };

/** A step in the words of a flow file, with what a reader should know of it. */
export interface DraftStep {
  readonly id: string;
  /** `"METHOD /path"`; absent on a GraphQL step. */
  readonly call?: string;
  /** The duration of a step that makes no request. */
  readonly wait?: string;
  readonly graphql?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, JsonValue>>;
  readonly body?: JsonValue;
  readonly form?: Readonly<Record<string, JsonValue>>;
  readonly multipart?: Readonly<Record<string, JsonValue>>;
  readonly text?: string;
  /** Relative to the flow. */
  readonly file?: string;
  readonly extract?: Readonly<Record<string, DraftSource>>;
  readonly assert?: readonly string[];
  readonly auth?: JsonObject;
  /** Set where no later step depends on this one. */
  readonly onFailure?: "record";
  readonly comments: readonly string[];
  /** The parts of the request that the step does not send. */
  readonly lost: readonly string[];
}

/** The facts of a flow that a person gives on the command line. */
export type DraftOptions = Partial<Pick<Draft, "name" | "load">>;

/** A flow that is being written, and all that goes with it. */
export interface Draft {
  readonly name: string;
  /** Name of the target file, when flows share one; else the flow's. */
  readonly target?: string;
  /** The source it was made from, for its first line. */
  readonly origin: string;
  /** Where it may go; relative URLs join the first. */
  readonly baseUrls: readonly string[];
  /** Seconds that one request may take. */
  readonly timeout?: number;
  /** How hard a load test of the flow is; without it the flow is a check. */
  readonly load?: { readonly vus: number; readonly hold: string };
  readonly auth?: JsonObject;
  readonly steps: readonly DraftStep[];
  /** Whether cookies that responses set are sent by later steps. */
  readonly keepsCookies?: boolean;
  /** Values that are drawn for each iteration, by name. */
  readonly values?: JsonObject;
  readonly env: readonly EnvVariable[];
  /** The values of its credentials in what was imported: for a replay, and never written. */
  readonly recorded?: ReadonlyMap<string, string>;
  /** A table that the flow reads its rows from. */
  readonly fixture?: {
    readonly columns: readonly string[];
    readonly rows: readonly (readonly string[])[];
    /** Columns of credentials, whose cells a person fills in. */
    readonly secrets?: readonly string[];
    /** The rows with their credentials: for a replay, and never written. */
    readonly recorded?: readonly (readonly string[])[];
  };
  /** Notes for a reader: requests that were left out, things that a flow cannot say. */
  readonly notes: readonly string[];
}
