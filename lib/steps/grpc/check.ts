import { child } from "../../base/values/pointer.ts";
import { addressMistake } from "./address.ts";
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
    report(
      `${pointer}/auth/in`,
      "auth-without-query",
      `step \`${step.id}\` is a gRPC call, which has no query for a credential`,
      "`in: header` sends it as metadata",
    );
  }
}

function checkAddress(
  { url }: GrpcBlock,
  pointer: string,
  report: Report,
): void {
  const mistake = url === undefined ? undefined : addressMistake(url);
  if (!mistake) return;
  const { message, hint, part } = mistake;
  report(pointer, "bad-address", message, hint, part ?? url);
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
    report(
      pointer,
      "reserved-metadata",
      `\`${name}\` cannot be declared: gRPC itself writes it`,
      "remove the header",
      name,
    );
    return;
  }
  const mistake = value.includes("{{") || value === ""
    ? undefined
    : metadataMistake(name, value);
  // A line break is told for every kind of step.
  if (mistake && !/[\r\n\0]/.test(value)) {
    report(pointer, "bad-metadata", mistake, undefined, name);
  }
}
