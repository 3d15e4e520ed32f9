import type { GenericSchema } from "valibot";
import { runMeta } from "../../model/result/run.ts";
import { trace } from "../../model/result/trace.ts";

/** The attributes of a span that the protocols and checks of a step write. */
const ATTRIBUTES = ["call", "check", "kind", "method", "operation", "session"];
/** Of a counted failure and of a share, which have no schema here. */
const COUNTED = ["pointer", "reason"];

const own = new Set([...ATTRIBUTES, ...COUNTED]);
const data = new Set<string>();
for (const schema of [runMeta, trace]) read(schema, "");

/**
 * Whether the strings of a field are the words of the program, or of the author of
 * the flow: step ids, expressions, paths, names of spans. Fields that no schema
 * says this of hold what came from elsewhere.
 */
export function isOwn(field: string): boolean {
  return own.has(field) && !data.has(field);
}

/** A schema as `valibot` makes it, as far as it has others inside. */
type Inside = Partial<{
  readonly type: string;
  readonly entries: Readonly<Record<string, GenericSchema>>;
  readonly options: readonly (GenericSchema | string)[];
  readonly item: GenericSchema;
  readonly items: readonly GenericSchema[];
  readonly wrapped: GenericSchema;
  readonly pipe: readonly { readonly type: string; metadata?: unknown }[];
}>;

/** @param field what a value of the schema is under, through any lists */
function read(schema: GenericSchema, field: string): void {
  const { type, entries = {}, options = [], item, items = [], wrapped, pipe } =
    schema as Inside;
  for (const [name, each] of Object.entries(entries)) read(each, name);
  for (const each of [...options, ...items, item, wrapped]) {
    if (typeof each === "object") read(each, field);
  }
  if (type === "picklist" || type === "literal") own.add(field);
  if (type !== "string") return;
  const isKnown = pipe?.some(({ type, metadata }) =>
    type === "iso_timestamp" || (metadata as { own?: boolean })?.own === true
  );
  (isKnown ? own : data).add(field);
}
