import * as v from "valibot";

/**
 * An object of a run directory. Keys of a later version are let through when it
 * is read; no type has them.
 */
export const object = v.looseObject as unknown as typeof v.object;
