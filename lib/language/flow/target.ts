import { MODES } from "../../model/mode.ts";
import { duration } from "../fields/durations.ts";
import { defaulted, optional, required } from "../fields/field.ts";
import { list } from "../fields/list.ts";
import { mapping } from "../fields/mapping.ts";
import { checked, plain } from "../fields/plain.ts";
import { integer, name, oneOf } from "../fields/scalars.ts";
import { Slot } from "../fields/slot.ts";
import type { Value, ValueOf } from "../fields/value.ts";
import type { Entry, Node } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import { BASE_URL_FORM, baseUrlError, hostPortError } from "./address.ts";
import { isCredential } from "./hiding.ts";

/** A target file means the same everywhere. */
const fixed = plain({
  why: "the allow-list is fixed before a run",
  hint: "write the value, or keep one target file for each environment",
  marksTemplate: true,
});

const baseUrl = checked(fixed, baseUrlError, BASE_URL_FORM);

const DEFAULT_TIMEOUT = "30s";

/** The one duration that may be written without a unit, as 0 stands for none. */
const timeout: Value<number> = {
  ...duration,
  form: { anyOf: [duration.form, { const: 0 }] },
  read(slot) {
    const { node } = slot;
    return node.kind === "scalar" && node.value === 0 ? 0 : duration.read(slot);
  },
};

/** The keys of a target file. */
export const target = mapping({
  name: required(
    name("a target's name"),
    "the target's name: a letter or `_`, then letters, digits, `_` and `-`",
  ),
  base_urls: required(
    list(baseUrl, {
      of: "URLs",
      example: "[https://staging.example.com]",
      least: {
        code: "no-base-url",
        needs: "one URL: it is the list of hosts a run may contact",
      },
    }),
    "absolute URLs, without a query and without a user; no other host is contacted",
  ),
  max_vus: optional(
    integer({ min: 0 }),
    "the most virtual users a run may plan; 0 or absent: no ceiling",
  ),
  max_rps: optional(
    integer({ min: 0 }),
    "the most requests a second; 0 or absent: no ceiling",
  ),
  request_timeout: defaulted(
    timeout,
    DEFAULT_TIMEOUT,
    "bounds one attempt, from dialling to the last byte; 0 stands for the default",
    {
      ir: "request_timeout_us",
    },
  ),
  agent_addr: optional(
    checked(fixed, hostPortError),
    "`host:port` of a metrics agent that is polled during load, stress and soak runs; it is no part of the allow-list",
  ),
  disallowed_modes: optional(
    list(oneOf(MODES), { of: "modes" }),
    "modes that are refused against this target",
  ),
}, { foreign: reportCredentials, places: ["target"] });

/** Where a run may go, and how hard. */
export type Target = ValueOf<typeof target>;

/**
 * Reads a target file, in which 0 is as if the key was not there. What cannot
 * be read is left out.
 */
export function readTarget(root: Node, reader: Reader): Target | undefined {
  const slot = new Slot(root, "", "the target file", reader);
  const read = target.readBlock(slot);
  if (!read) return;
  const written = Object.entries(read).filter(([, value]) => value !== 0);
  const request_timeout_us = duration.parse!(DEFAULT_TIMEOUT);
  const all = { name: "_", request_timeout_us, ...Object.fromEntries(written) };
  return all as unknown as Target;
}

function reportCredentials({ key, keyAt }: Entry, slot: Slot): boolean {
  if (!isCredential(key)) return false;
  slot.report({
    at: keyAt,
    code: "credentials-in-target",
    message:
      `a target file never carries credentials, but this one has \`${key}\``,
    hint: "put `auth` into the flow, with {{ env.* }} templates",
  });
  return true;
}
