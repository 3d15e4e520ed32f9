import type { HeaderList } from "../../base/values/headers.ts";
import type { Origin } from "../net/origin.ts";
import { FieldBlock, type RequestField } from "./hpack/encoder.ts";

/** The fields of a request, in order. */
export type RequestFields = readonly (FieldBlock | RequestField)[];

/** A request as a connection sends it. */
export interface Http2Request {
  /** Pseudo-header fields first (RFC 9113 section 8.3). */
  readonly fields: RequestFields;
  readonly body: Uint8Array;
  /** The response has no body, whatever its fields say. */
  readonly head?: boolean;
}

/** The fields without the pseudo-header fields, for a person. */
export function regularFields(fields: RequestFields): HeaderList {
  return fields
    .flatMap((each) => each instanceof FieldBlock ? each.fields : [each])
    .filter(({ name }) => !name.startsWith(":"))
    .map(({ name, value }) => [name, value] as const);
}

/**
 * Makes the pseudo-header fields of a request: one block for as long as they go
 * to the same origin.
 *
 * @param path absent when it is another one for each request: it is to follow
 */
export function pseudoFields(
  method: string,
  path?: string,
): (origin: Origin) => FieldBlock {
  let last: Origin | undefined;
  let block = new FieldBlock([]);
  return (origin) => {
    if (origin.key !== last?.key) {
      last = origin;
      block = new FieldBlock([
        { name: ":method", value: method },
        { name: ":scheme", value: origin.family },
        { name: ":authority", value: origin.hostHeader },
        ...(path === undefined ? [] : [{ name: ":path", value: path }]),
      ]);
    }
    return block;
  };
}
