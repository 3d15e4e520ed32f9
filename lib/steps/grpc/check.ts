import { child } from "../../base/values/pointer.ts";
import { addressError } from "./address.ts";
import type { GrpcBlock } from "./block.ts";
import { metadataError } from "./metadata.ts";
import type { KindStep } from "../../language/flow/kind.ts";
import type { Report } from "../../base/text/diagnostic.ts";

/** Checks what needs no schema: the address and metadata. */
export function checkGrpcStep(
  { block, pointer }: KindStep<GrpcBlock>,
  report: Report,
): void {
  checkAddress(block, `${pointer}/block/url`, report);
  for (const [name, value] of Object.entries(block.headers ?? {})) {
    checkField(name, value, child(`${pointer}/block/headers`, name), report);
  }
}

function checkAddress(
  { url }: GrpcBlock,
  pointer: string,
  report: Report,
): void {
  const error = url === undefined ? undefined : addressError(url);
  if (error) report({ ...error, at: { pointer, inside: error.at } });
}

/** Names the protocol itself gives a meaning (gRPC over HTTP/2, "Requests"). */
const RESERVED = /^(?:grpc-.*|content-type)$/i;

/** Whether gRPC itself writes the header field `name`. */
export function reservedInGrpc(name: string): boolean {
  return RESERVED.test(name);
}

function checkField(
  name: string,
  value: string,
  pointer: string,
  report: Report,
): void {
  if (reservedInGrpc(name)) {
    report({
      at: { pointer, inside: name },
      code: "reserved-metadata",
      message: `\`${name}\` cannot be declared: gRPC itself writes it`,
      hint: "remove the header",
    });
    return;
  }
  const error = value.includes("{{") || value === ""
    ? undefined
    : metadataError(name, value);
  // A line break is reported for every kind of step.
  if (error && !/[\r\n\0]/.test(value)) {
    report({
      at: { pointer, inside: name },
      code: "bad-metadata",
      message: error,
    });
  }
}
