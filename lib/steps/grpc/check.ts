import { child } from "../../base/values/pointer.ts";
import { addressError } from "./address.ts";
import type { GrpcBlock } from "./block.ts";
import { metadataMistake } from "./metadata.ts";
import type { KindStep, Protocol } from "../protocol.ts";

type Report = Parameters<NonNullable<Protocol["checkFlow"]>>[1];

/** Checks what needs no schema: the address, metadata and where credentials go. */
export function checkGrpcStep(
  { step, block, pointer }: KindStep<GrpcBlock>,
  report: Report,
): void {
  checkAddress(block, `${pointer}/block/url`, report);
  for (const [name, value] of Object.entries(block.headers ?? {})) {
    checkField(name, value, child(`${pointer}/block/headers`, name), report);
  }
  if (step.auth?.in === "query") {
    report({
      at: `${pointer}/auth/in`,
      code: "auth-without-query",
      message:
        `step \`${step.id}\` is a gRPC call, which has no query for a credential`,
      hint: "`in: header` sends it as metadata",
    });
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
  const mistake = value.includes("{{") || value === ""
    ? undefined
    : metadataMistake(name, value);
  // A line break is told for every kind of step.
  if (mistake && !/[\r\n\0]/.test(value)) {
    report({
      at: { pointer, inside: name },
      code: "bad-metadata",
      message: mistake,
    });
  }
}
