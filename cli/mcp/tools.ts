import { ifPossible } from "../../lib/base/values/if_possible.ts";
import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { Refused } from "../../lib/base/errors/bench_error.ts";
import type { JsonObject } from "../../lib/base/values/json.ts";
import { isRunId } from "../../lib/results/store/layout.ts";
import {
  type Call,
  type Method,
  paramName,
  readParams,
  storedRun,
  surroundings,
  targetFile,
  writtenFlow,
} from "../rpc/method.ts";
import { METHODS } from "../rpc/methods.ts";
import { LATEST } from "../options/store.ts";
import { OF_SERVER } from "./mcp_options.ts";
import { SHOWN, type Shown } from "./shown.ts";

/** A method that a client may call: one of `bench rpc` with the parameters that an agent may give. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object" } & JsonObject;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly openWorldHint: boolean;
  };
  /** It has its turn after the calls of such tools before it, which it would disturb. */
  readonly sends: boolean;
  /**
   * Carries a call out.
   *
   * @throws {ResponseError} for other parameters
   * @throws what the method does
   */
  readonly call: (given: unknown, call: Call) => Promise<Shown>;
}

/** Parameters that the server decides, by name. */
const WITHHELD: ReadonlySet<string> = new Set([
  ...Object.keys(surroundings),
  ...Object.entries(OF_SERVER).map(([key, option]) => paramName(key, option)),
  "stream",
]);

/** Run ids alone: a path leads anywhere. */
const run = v.pipe(
  storedRun,
  v.check(
    (id) => isRunId(id) || id === LATEST,
    `a run is named by its id, or as \`${LATEST}\`: \`runs\` lists them`,
  ),
);

/** Parameters that an agent gives in one form only. */
const NARROWED: v.ObjectEntries = {
  flow: writtenFlow,
  target: targetFile,
  run,
  with: v.pipe(v.array(run), v.minLength(1)),
};

/**
 * The tools, from the records of `bench rpc`.
 *
 * @param decided the parameters that the server decides, for the methods that have them
 */
export function toolsOf(decided: JsonObject): readonly Tool[] {
  return Object.entries(SHOWN).map(([name, show]) =>
    toolOf(name, METHODS[name]!, show, decided)
  );
}

function toolOf(
  name: string,
  method: Method,
  show: (result: never) => Shown,
  decided: JsonObject,
): Tool {
  const { about, entries, body } = method;
  const params = v.strictObject(agentEntries(entries));
  const schema = toJsonSchema(params, {
    errorMode: "ignore",
    typeMode: "input",
  });
  const ours = Object.fromEntries(
    Object.entries(decided).filter(([key]) => key in entries),
  );
  const sends = name === "run";
  return {
    ...{ name, sends },
    description: about,
    inputSchema: schema as unknown as Tool["inputSchema"],
    annotations: { readOnlyHint: !sends, openWorldHint: sends },
    async call(given, call) {
      const read = readParams(params, given);
      for (const each of [read["run"] ?? [], read["with"] ?? []].flat()) {
        refuseLink(`${decided["store"]}/${each}`, String(each));
      }
      return show(await body({ ...read, ...ours }, call) as never);
    },
  };
}

/** A run that is elsewhere is not one of the store. @throws {Refused} */
function refuseLink(path: string, run: string): void {
  if (!ifPossible(() => Deno.lstatSync(path).isSymlink, false)) return;
  throw new Refused(`run \`${run}\` is a symbolic link`);
}

/** Optional where it is for other clients. */
function narrowed(key: string, entry: v.ObjectEntries[string]) {
  const own = Object.hasOwn(NARROWED, key) && NARROWED[key];
  if (!own) return entry;
  return entry.type === "exact_optional"
    ? v.exactOptional(own as v.GenericSchema)
    : own;
}

function agentEntries(entries: v.ObjectEntries): v.ObjectEntries {
  const kept = Object.entries(entries).filter(([key]) => !WITHHELD.has(key));
  return Object.fromEntries(
    kept.map(([key, entry]) => [key, narrowed(key, entry)]),
  );
}
