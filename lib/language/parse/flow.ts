import { type Flow, IR_VERSION, type Profile } from "../../model/ir/flow.ts";
import { AUTH, listOf, NAME } from "../source/form.ts";
import type { KeyTable } from "../source/mapping.ts";
import { type Fields, readMapping } from "../source/mapping.ts";
import type { Entry } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import { readString } from "../source/scalars.ts";
import { readYaml } from "../source/yaml.ts";
import type { JsonObject } from "../../base/values/json.ts";
import { type FlowAuth, placeAuth, readFlowAuth } from "./auth.ts";
import { flowHiding } from "./hiding.ts";
import { checkName } from "./name.ts";
import { PROFILE_FORM, readProfile } from "./profile.ts";
import { STEP_FORM } from "./step.ts";
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

type FlowFields = Fields<keyof typeof FLOW_KEYS>;

/** A flow, and what the IR has on its steps alone. */
export interface ParsedFlow {
  readonly flow: Flow;
  /**
   * The flow's `auth`, which the steps that inherit it share. Its places are
   * those of one more step after the last.
   */
  readonly defaultAuth?: JsonObject;
}

/** Where `data` binds its rows. */
const DATA_POOL = "user";

/**
 * Reads a flow file. Every mistake of shape is reported; rules that need more
 * than one step are `validateFlow`'s.
 *
 * @returns the flow, in which a step whose action could not be read has the
 *   empty kind, so that the rules across steps still see the rest; undefined
 *   when there is no list of steps. It may be run only when nothing was
 *   reported.
 */
export function parseFlow(
  text: string,
  reader: Reader,
): ParsedFlow | undefined {
  const root = readYaml(text, reader, flowHiding);
  if (!root) return;
  const fields = readMapping(
    root,
    FLOW_KEYS,
    "the flow file",
    reader,
    (entry) => reportVersion(entry, reader),
  );
  if (!fields) return;
  reader.place("", root.span);
  const flow = readName(fields, reader);
  const profile = readFlowProfile(fields, reader);
  const auth = readFlowAuth(fields.get("auth")?.value, reader);
  const pools = readData(fields, reader);
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
  reader.place("/flow", entry.value.span);
  const name = readString(entry.value, "`flow`", reader);
  if (name === undefined) return "_";
  const near = name.trim().replaceAll(/[^A-Za-z0-9_-]+/g, "_")
    .replace(/^(?=[\d-])/, "_");
  const hint = near === "" ? undefined : `for example \`${near}\``;
  return checkName(name, "a flow's name", entry.value.span, reader, hint)
    ? name
    : "_";
}

function readFlowProfile(fields: FlowFields, reader: Reader): Profile {
  const entry = fields.get("profile");
  reader.place("/profile", entry?.value.span ?? fields.node.span);
  return (entry && readProfile(entry.value, reader)) ??
    { mode: "integration", vus: 1 };
}

function readData(fields: FlowFields, reader: Reader): Flow["pools"] {
  const entry = fields.get("data");
  if (!entry) return;
  reader.place("/pools/0", entry.value.span);
  reader.place("/pools/0/path", entry.value.span);
  // A path that cannot be read still makes the pool, so that the templates
  // that use it are not reported as well.
  const path = readString(entry.value, "`data`", reader) ?? "";
  const format = /\.(csv|json)$/i.exec(path)?.[1]?.toLowerCase();
  if (path.includes("{{")) {
    reader.report(
      entry.value.span,
      "template-not-allowed",
      "`data` is not templated: the file is read before the run",
    );
  } else if (path !== "" && !format) {
    reader.report(
      entry.value.span,
      "bad-fixture",
      `a fixture is a .csv or a .json file, but \`data\` is "${path}"`,
    );
  }
  return [{
    name: DATA_POOL,
    path,
    format: format === "json" ? "json" : "csv",
    distribution: "unique-per-vu",
    on_exhausted: "fail",
  }];
}

function readFlowSteps(
  fields: FlowFields,
  auth: FlowAuth | undefined,
  reader: Reader,
): Flow["steps"] | undefined {
  const entry = fields.get("steps");
  if (!entry) return;
  reader.place("/steps", entry.value.span);
  return readSteps(entry, auth, reader);
}

/** Spec, Versioning: the YAML surface is v0 and has no version key. */
function reportVersion({ key, keySpan }: Entry, reader: Reader): boolean {
  if (key !== "version") return false;
  reader.report(
    keySpan,
    "version-key",
    "a flow file has no `version`: this is the v0 format, which needs none",
    "remove the line",
  );
  return true;
}
