import * as v from "valibot";
import type { FlagsOf, Options } from "../options/option.ts";
import type { Console } from "../terminal/console.ts";
import type { Cancellation } from "./cancellation.ts";
import {
  flagsOf,
  type Given,
  paramsOf,
  type Surroundings,
  type surroundings,
} from "./params.ts";

/** What the body of a method has of its request besides the parameters. */
export interface Call {
  readonly cancellation: Cancellation;
  /** Sends the client something that it did not request. */
  readonly notify: (method: string, params: unknown) => void;
  readonly console: Console;
}

/** A method that has its turn after the requests before it. */
export interface Method {
  /** Options of commands that are parameters of it. */
  readonly options: Options;
  readonly params: v.GenericSchema<unknown, Surroundings>;
  readonly body: (params: Surroundings, call: Call) => Promise<unknown>;
}

/**
 * States a method.
 *
 * @param own its parameters besides the options
 */
export function method<
  Own extends typeof surroundings & v.ObjectEntries,
  const Table extends Options,
>(
  own: Own,
  options: Table,
  body: (
    params: Given<Own> & { readonly flags: FlagsOf<Table> },
    call: Call,
  ) => Promise<unknown>,
): Method {
  const entries: v.ObjectEntries = { ...paramsOf(options), ...own };
  return {
    options,
    params: v.strictObject(entries) as unknown as Method["params"],
    body(params, call) {
      const flags = flagsOf(options, { ...params });
      const read = params as Given<Own>;
      return body({ ...read, flags }, call);
    },
  };
}
