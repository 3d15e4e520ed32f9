import type { Target } from "../../model/ir/target.ts";
import { MODES } from "../../model/ir/mode.ts";
import {
  DURATION,
  either,
  listOf,
  NAME,
  oneWord,
  PLAIN,
  wholeNumber,
} from "../source/form.ts";
import type { SourceDocument } from "../source/document.ts";
import { readDocument } from "../source/document_nodes.ts";
import { type Fields, type KeyTable, readMapping } from "../source/mapping.ts";
import type { Entry, Node } from "../source/node.ts";
import { describe } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import {
  readChoice,
  readDuration,
  readInteger,
  readString,
} from "../source/scalars.ts";
import { readYaml } from "../source/yaml.ts";
import { child } from "../../base/values/pointer.ts";
import { baseUrlError, hostPortError } from "./address.ts";
import { isCredential, targetHiding } from "./hiding.ts";
import { checkName } from "./name.ts";

/** The keys of a target file, for the parser and the editor schema. */
export const TARGET_KEYS = {
  name: {
    required: true,
    doc: "the target's name, such as `staging`",
    form: NAME,
  },
  base_urls: {
    required: true,
    doc: "absolute URLs; no other host is contacted",
    form: listOf({
      ...PLAIN,
      format: "uri",
      not: { pattern: "^[^/]*//[^/?#]*@|[?#]" },
    }, 1),
  },
  max_vus: {
    doc: "most virtual users a run may have; 0 for no limit",
    form: wholeNumber(0),
  },
  max_rps: {
    doc: "most requests a second; 0 for no limit",
    form: wholeNumber(0),
  },
  request_timeout: {
    doc: "bounds one call; 30s by default",
    form: either(DURATION, { const: 0 }),
  },
  agent_addr: { doc: "host:port of a metrics agent", form: PLAIN },
  disallowed_modes: {
    doc: `modes refused here: ${MODES.join(", ")}`,
    form: listOf(oneWord(MODES)),
  },
} as const satisfies KeyTable;

type TargetFields = Fields<keyof typeof TARGET_KEYS>;

const DEFAULT_TIMEOUT_US = 30_000_000;

/**
 * Reads a target file; every mistake is reported.
 *
 * @returns undefined when it cannot be used
 */
export function parseTarget(text: string, reader: Reader): Target | undefined {
  const root = readYaml(text, reader, targetHiding);
  return root && readTarget(root, reader);
}

/** Reads a target that a program wrote, likewise. */
export function parseTargetDocument(
  document: SourceDocument,
  reader: Reader,
): Target | undefined {
  const root = readDocument(document, reader, targetHiding);
  return root && readTarget(root, reader);
}

function readTarget(root: Node, reader: Reader): Target | undefined {
  const mistakes = reader.diagnostics.count;
  const fields = readMapping(
    root,
    TARGET_KEYS,
    "the target file",
    reader,
    (entry) => reportCredentials(entry, reader),
  );
  if (!fields) return;
  const name = fields.get("name");
  const urls = fields.get("base_urls");
  const agent = fields.get("agent_addr");
  const modes = fields.get("disallowed_modes");
  const target: Target = {
    name: (name && readName(name.value, reader)) ?? "",
    base_urls: urls ? readBaseUrls(urls.value, reader) : [],
    ...readCeilings(fields, reader),
    request_timeout_us: readTimeout(fields, reader),
    ...readAgent(agent, reader),
    ...readModes(modes, reader),
  };
  return reader.diagnostics.count === mistakes ? target : undefined;
}

function readName(node: Node, reader: Reader): string | undefined {
  const name = plainString(node, "`name`", "/name", reader);
  if (name === undefined) return;
  return checkName(name, "a target's name", node.at, reader) ? name : undefined;
}

function readBaseUrls(node: Node, reader: Reader): string[] {
  reader.place("/base_urls", node.at);
  if (node.kind !== "list") {
    reader.report({
      at: node.at,
      code: "wrong-type",
      message: `\`base_urls\` must be a list of URLs, but it is ${
        describe(node)
      }`,
      hint: node.kind === "scalar" && node.text !== ""
        ? `write [${node.text}]`
        : "start each URL with `- `",
    });
    return [];
  }
  if (node.items.length === 0) {
    reader.report({
      at: node.at,
      code: "no-base-url",
      message:
        "`base_urls` needs at least one URL: it is the list of hosts a run may contact",
    });
  }
  return node.items.flatMap((item, index) => {
    const what = "each item of `base_urls`";
    const url = plainString(item, what, child("/base_urls", index), reader);
    if (url === undefined) return [];
    const error = baseUrlError(url);
    if (!error) return [url];
    const at = error.at === url ? item.at : reader.inside(item, error.at);
    reader.report({ ...error, at });
    return [];
  });
}

/** 0 means unset, like an absent key. */
function readCeilings(
  fields: TargetFields,
  reader: Reader,
): Pick<Target, "max_vus" | "max_rps"> {
  const read = (key: "max_vus" | "max_rps") => {
    const entry = fields.get(key);
    if (!entry) return;
    reader.place(child("", key), entry.value.at);
    return readInteger(entry.value, `\`${key}\``, 0, reader);
  };
  const [max_vus, max_rps] = [read("max_vus"), read("max_rps")];
  return { ...(max_vus && { max_vus }), ...(max_rps && { max_rps }) };
}

function readTimeout(fields: TargetFields, reader: Reader): number {
  const node = fields.get("request_timeout")?.value;
  if (!node) return DEFAULT_TIMEOUT_US;
  reader.place("/request_timeout_us", node.at);
  // The one duration that may be written without a unit, as 0 is a word here.
  if (node.kind === "scalar" && node.value === 0) return DEFAULT_TIMEOUT_US;
  return readDuration(node, "`request_timeout`", reader) || DEFAULT_TIMEOUT_US;
}

function readAgent(
  entry: Entry | undefined,
  reader: Reader,
): Pick<Target, "agent_addr"> {
  if (!entry) return {};
  const agent_addr = plainString(
    entry.value,
    "`agent_addr`",
    "/agent_addr",
    reader,
  );
  if (agent_addr === undefined) return {};
  const error = hostPortError(agent_addr);
  if (!error) return { agent_addr };
  reader.report({ ...error, at: entry.value.at });
  return {};
}

function readModes(
  entry: Entry | undefined,
  reader: Reader,
): Pick<Target, "disallowed_modes"> {
  if (!entry) return {};
  const { value: node } = entry;
  reader.place("/disallowed_modes", node.at);
  if (node.kind !== "list") {
    reader.report({
      at: node.at,
      code: "wrong-type",
      message: `\`disallowed_modes\` must be a list of modes, but it is ${
        describe(node)
      }`,
      hint: node.kind === "scalar" && node.text !== ""
        ? `write [${node.text}]`
        : undefined,
    });
    return {};
  }
  const modes = node.items.flatMap((item, index) => {
    reader.place(child("/disallowed_modes", index), item.at);
    return readChoice(item, "each item of `disallowed_modes`", MODES, reader) ??
      [];
  });
  return modes.length > 0 ? { disallowed_modes: modes } : {};
}

/** A string without templates: a target file means the same everywhere. */
function plainString(
  node: Node,
  what: string,
  pointer: string,
  reader: Reader,
): string | undefined {
  reader.place(pointer, node.at);
  const text = readString(node, what, reader);
  if (!text?.includes("{{")) return text;
  reader.report({
    at: reader.inside(node, text.indexOf("{{")),
    code: "template-not-allowed",
    message:
      "target files are not templated: the allow-list is fixed before a run",
    hint: "write the value, or keep one target file for each environment",
  });
}

function reportCredentials({ key, keyAt }: Entry, reader: Reader): boolean {
  if (!isCredential(key)) return false;
  reader.report({
    at: keyAt,
    code: "credentials-in-target",
    message:
      `a target file never carries credentials, but this one has \`${key}\``,
    hint: "put `auth` into the flow, with {{ env.* }} templates",
  });
  return true;
}
