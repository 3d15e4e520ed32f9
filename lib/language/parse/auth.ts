import { schemes } from "../../steps/auth/registry.ts";
import type { Step } from "../../model/ir/flow.ts";
import type { Protocol } from "../../steps/protocol.ts";
import type { Node } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import type { SourceLocation } from "../../base/text/location.ts";
import type { JsonObject } from "../../base/values/json.ts";
import { readScheme } from "./scheme.ts";

/** The flow's default auth, and where its parts were written. */
export interface FlowAuth {
  readonly block: JsonObject;
  /** By JSON Pointer below the block. */
  readonly locations: ReadonlyMap<string, SourceLocation>;
}

/** Reads the flow's `auth`; undefined when there is none to inherit. */
export function readFlowAuth(
  node: Node | undefined,
  reader: Reader,
): FlowAuth | undefined {
  return node && readAuth(node, reader);
}

/**
 * The `auth` of one step: its own, else the flow's when the step makes
 * requests. `scheme: none` leaves nothing in the IR.
 */
export function readStepAuth(
  node: Node | undefined,
  inherited: FlowAuth | undefined,
  protocol: Protocol | undefined,
  block: JsonObject | undefined,
  pointer: string,
  reader: Reader,
): Pick<Step, "auth"> {
  // What is written on a step that takes none is there to be refused.
  const sends = block === undefined || node !== undefined ||
    (protocol?.authorizes ?? protocol?.sends)?.(block) !== false;
  const takesAuth = !protocol ||
    (protocol.requests && sends && protocol.keys.includes("auth"));
  if (!takesAuth) return {};
  const auth = node ? readAuth(node, reader) : protocol && inherited;
  if (!auth) return {};
  placeAuth(auth, pointer, reader);
  return { auth: auth.block };
}

/** @param pointer of the step that has it */
export function placeAuth(
  { locations }: FlowAuth,
  pointer: string,
  reader: Reader,
): void {
  for (const [below, at] of locations) {
    reader.place(`${pointer}/auth${below}`, at);
  }
}

function readAuth(node: Node, reader: Reader): FlowAuth | undefined {
  const locations = new Map<string, SourceLocation>([["", node.at]]);
  const block = readScheme(node, schemes, locations, reader);
  return block && block.scheme !== "none" ? { block, locations } : undefined;
}
