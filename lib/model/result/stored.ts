import * as v from "valibot";
import type { ReadonlyTree } from "../../base/values/readonly_tree.ts";

/** Version of every file in a run directory; readers refuse a newer one. */
export const RUN_SCHEMA = 1;

/**
 * An object of a run directory. Keys of a later version are let through when it
 * is read; no type has them.
 */
export const object = v.looseObject as unknown as typeof v.object;

/** What such a schema reads. */
export type Stored<Schema extends v.GenericSchema> = ReadonlyTree<
  v.InferOutput<Schema>
>;
