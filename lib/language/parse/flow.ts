import { type Flow, IR_VERSION, type Profile } from "../../model/ir/flow.ts";
import type { SourceDocument } from "../source/document.ts";
import { readDocument } from "../source/document_nodes.ts";
import { AUTH, listOf, NAME } from "../source/form.ts";
import type { KeyTable } from "../source/mapping.ts";
import { type Fields, readMapping } from "../source/mapping.ts";
import type { Entry, Node } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import { readString } from "../source/scalars.ts";
import { readYaml } from "../source/yaml.ts";
import type { JsonObject } from "../../base/values/json.ts";
import { type FlowAuth, placeAuth, readFlowAuth } from "./auth.ts";
import { flowHiding } from "./hiding.ts";
import { checkName } from "./name.ts";
import { readDataPool, readNamedPools } from "./pools.ts";
import { PROFILE_FORM, readProfile } from "./profile.ts";
import { STEP_FORM } from "./step_keys.ts";
import { MAX_STEPS, readSteps } from "./steps.ts";

/** The keys of a flow file, for the parser and the editor schema. */
export const FLOW_KEYS = {
  flow: {
    required: true,
    doc: "the flow's name, such as `checkout`",
    form: NAME,
  },
  profile: {
    doc: "how the flow is run: mode, VUs, thresholds",
    form: PROFILE_FORM,
  },
  auth: {
    doc: "auth of every request-making step without its own",
    form: AUTH,
  },
  data: {
    doc: "fixture file; its rows are read as {{ user.<column> }}",
    form: {
      type: "string",
      pattern: "^(?!.*\\{\\{).*\\.([cC][sS][vV]|[jJ][sS][oO][nN])$",
    },
  },
  steps: {
    required: true,
    doc: "what is done, in order",
    form: { ...listOf(STEP_FORM, 1), maxItems: MAX_STEPS },
  },
} as const satisfies KeyTable;

type FlowFields = Fields<keyof typeof SDK_KEYS>;

/** What the SDK can say besides. */
const SDK_KEYS = {
  ...FLOW_KEYS,
  pools: { doc: "named pools of fixture rows" },
} as const satisfies KeyTable;

/** A flow, and what the IR has on its steps alone. */
export interface ParsedFlow {
  readonly flow: Flow;
  /**
   * The flow's `auth`, which the steps that inherit it share. Its places are
   * those of one more step after the last.
   */
  readonly defaultAuth?: JsonObject;
}

/** Reads a flow file; see `readFlow`. */
export function parseFlow(
  text: string,
  reader: Reader,
): ParsedFlow | undefined {
  const root = readYaml(text, reader, flowHiding);
  return root && readFlow(root, reader);
}

/** Reads a flow that a program wrote; see `readFlow`. */
export function parseFlowDocument(
  document: SourceDocument,
  reader: Reader,
): ParsedFlow | undefined {
  const root = readDocument(document, reader, flowHiding);
  return root && readFlow(root, reader);
}

/**
 * Reads the nodes of a flow. Every mistake of shape is reported; rules that need
 * more than one step are `validateFlow`'s.
 *
 * @returns the flow, in which a step whose action could not be read has the
 *   empty kind, so that the rules across steps still see the rest; undefined
 *   when there is no list of steps. It may be run only when nothing was
 *   reported.
 */
function readFlow(root: Node, reader: Reader): ParsedFlow | undefined {
  const fields: FlowFields | undefined = readMapping(
    root,
    reader.surface === "sdk" ? SDK_KEYS : FLOW_KEYS,
    "the flow file",
    reader,
    (entry) => reportVersion(entry, reader),
  );
  if (!fields) return;
  reader.place("", root.at);
  const flow = readName(fields, reader);
  const profile = readFlowProfile(fields, reader);
  const auth = readFlowAuth(fields.get("auth")?.value, reader);
  const pools = readPools(fields, reader);
  const steps = readFlowSteps(fields, auth, reader);
  if (!steps) return;
  if (auth) placeAuth(auth, `/steps/${steps.length}`, reader);
  return {
    flow: { ir: IR_VERSION, flow, steps, profile, ...(pools && { pools }) },
    ...(auth && { defaultAuth: auth.block }),
  };
}

function readName(fields: FlowFields, reader: Reader): string {
  const entry = fields.get("flow");
  if (!entry) return "_";
  reader.place("/flow", entry.value.at);
  const name = readString(entry.value, "`flow`", reader);
  if (name === undefined) return "_";
  const near = name.trim().replaceAll(/[^A-Za-z0-9_-]+/g, "_")
    .replace(/^(?=[\d-])/, "_");
  const hint = near === "" ? undefined : `for example \`${near}\``;
  return checkName(name, "a flow's name", entry.value.at, reader, hint)
    ? name
    : "_";
}

function readFlowProfile(fields: FlowFields, reader: Reader): Profile {
  const entry = fields.get("profile");
  reader.place("/profile", entry?.value.at ?? fields.node.at);
  return (entry && readProfile(entry.value, reader)) ??
    { mode: "integration", vus: 1 };
}

function readPools(fields: FlowFields, reader: Reader): Flow["pools"] {
  const [data, named] = [fields.get("data"), fields.get("pools")];
  const pools = data ? [readDataPool(data.value, reader)] : [];
  if (named) pools.push(...readNamedPools(named.value, pools.length, reader));
  return pools.length > 0 ? pools : undefined;
}

function readFlowSteps(
  fields: FlowFields,
  auth: FlowAuth | undefined,
  reader: Reader,
): Flow["steps"] | undefined {
  const entry = fields.get("steps");
  if (!entry) return;
  reader.place("/steps", entry.value.at);
  return readSteps(entry, auth, reader);
}

/** Spec, Versioning: the YAML surface is v0 and has no version key. */
function reportVersion({ key, keyAt }: Entry, reader: Reader): boolean {
  if (key !== "version") return false;
  reader.report({
    at: keyAt,
    code: "version-key",
    message:
      "a flow file has no `version`: this is the v0 format, which needs none",
    hint: "remove the line",
  });
  return true;
}
