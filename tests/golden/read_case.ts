import { decodeFlow } from "../../lib/ir/decode.ts";
import type { Flow } from "../../lib/ir/flow.ts";
import { parseFlow } from "../../lib/parse/flow.ts";
import { parseTarget } from "../../lib/parse/target.ts";
import { Reader } from "../../lib/source/reader.ts";
import { decodeSource } from "../../lib/source/source_text.ts";
import { renderDiagnostics } from "../../lib/text/render.ts";
import { validateFlow } from "../../lib/validate/flow.ts";

/** What reading one input file of a golden case gives. */
export interface ReadCase {
  readonly flow: Flow | undefined;
  /** Rendered without colour, as the command line prints it. */
  readonly diagnostics: string;
}

/** Reads `flow.yaml`, `flow.json` (IR) or `target.yaml` with every check. */
export function readCase(name: string, bytes: Uint8Array): ReadCase {
  const reader = new Reader(name);
  const text = decodeSource(bytes, reader);
  const flow = text === undefined ? undefined : read(name, text, reader);
  const sources = new Map(
    reader.text === "" && text ? [] : [[name, reader.text]],
  );
  return {
    flow,
    diagnostics: renderDiagnostics(reader.diagnostics, sources, {
      color: false,
    }),
  };
}

function read(name: string, text: string, reader: Reader): Flow | undefined {
  if (name === "target.yaml") {
    parseTarget(text, reader);
    return;
  }
  const flow = name === "flow.json"
    ? decodeFlow(text, (pointer, code, message, hint, place) => {
      if (place) reader.report({ ...place, length: 1 }, code, message, hint);
      else reader.reportAt(pointer, code, message, hint);
    })
    : parseFlow(text, reader);
  if (name === "flow.json") reader.text = text;
  if (flow) validateFlow(flow, (...mistake) => reader.reportAt(...mistake));
  return flow;
}
