import type { BlockFiles } from "../../steps/protocol.ts";
import { protocols } from "../../steps/registry.ts";
import type { JsonObject } from "../../base/values/json.ts";
import type { Offer } from "../source/offer.ts";
import type { SharedName } from "./names.ts";

/*
 * What the step kinds say to an editor of themselves; nothing else of them is
 * known here.
 */

/** The names that steps of one kind share. */
export function sharedNames(): SharedName[] {
  return [...protocols.values()].flatMap(({ kind, sharedKey }) =>
    sharedKey ? [{ kind, ...sharedKey }] : []
  );
}

/**
 * What the value at `path` below an action key may be.
 *
 * @param written the block, as far as it is written
 */
export async function offerOf(
  kind: string,
  path: readonly (string | number)[],
  written: JsonObject,
  files: BlockFiles,
): Promise<Offer> {
  return await protocols.get(kind)?.offer?.(path, written, files) ?? {};
}

/** The statuses of a kind that have a name. */
export function statusesOf(kind: string): string[] {
  return [...protocols.get(kind)?.statusNames?.keys() ?? []];
}
