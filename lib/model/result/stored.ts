import * as v from "valibot";

/** Version of every file in a run directory; readers refuse a newer one. */
export const RUN_SCHEMA = 1;

/**
 * An object of a run directory. Keys of a later version are let through when it
 * is read; no type has them.
 */
export const object = v.looseObject as unknown as typeof v.object;

/**
 * A number of a run: a duration, a count, a share. Beyond these bounds no run can have
 * one, and what is computed of it would no longer be a number.
 */
export const n = v.pipe(v.number(), v.minValue(-1e18), v.maxValue(1e18));

/**
 * A string of the program's own, or of the author of the flow: it stays as it is,
 * whatever the secrets of a run are.
 */
export const own = v.pipe(v.string(), v.metadata({ own: true }));

/** A type whose members, and theirs, cannot be assigned to. */
type ReadonlyTree<T> = T extends object
  ? { readonly [Key in keyof T]: ReadonlyTree<T[Key]> }
  : T;

/** The type of the values that such a schema reads. */
export type Stored<Schema extends v.GenericSchema> = ReadonlyTree<
  v.InferOutput<Schema>
>;
