import type { Diagnostic } from "../../base/text/diagnostic.ts";
import { MODES } from "../../model/mode.ts";
import { duration } from "../fields/durations.ts";
import {
  defaulted,
  optional,
  required,
  Slot,
  type Value,
  type ValueOf,
} from "../fields/field.ts";
import { list } from "../fields/list.ts";
import { mapping } from "../fields/mapping.ts";
import { checked, integer, name, oneOf, plain } from "../fields/scalars.ts";
import type { Entry, Node } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import { isCredential } from "./hiding.ts";

/** The user before a host, and the query after a path: a base URL has neither. */
const USER = "^[^/]*//[^/?#]*@";
const EXTRA = "[?#]";

/** A base URL to an editor, as far as one pattern can check. */
const BASE_URL_FORM = {
  format: "uri",
  not: { pattern: `${USER}|${EXTRA}` },
} as const;

const SCHEMES = ["http:", "https:", "ws:", "wss:", "grpc:", "grpcs:"];

/** Elsewhere a `*` in a list of hosts means any of them. */
function hostPattern(text: string): Diagnostic<string> | undefined {
  if (!/^(?:[^/@]*\/\/)?[^/?#@]*\*[^@]*$/.test(text)) return;
  return {
    at: text,
    code: "bad-base-url",
    message: `"${text}" names no host: \`*\` stands for none`,
    hint: "list each host with a URL of its own",
  };
}

/** Checks one `base_urls` entry: an absolute URL of a host, without credentials. */
function baseUrlError(text: string): Diagnostic<string> | undefined {
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(text)?.[1];
  if (!scheme) {
    return {
      at: text,
      code: "bad-base-url",
      message: `"${text}" is not an absolute URL`,
      hint: /^[\w.-]+(:\d+)?(\/|$)/.test(text)
        ? `did you mean "${likelyScheme(text)}://${text}"?`
        : 'for example "https://staging.example.com"',
    };
  }
  const protocol = `${scheme.toLowerCase()}:`;
  if (!SCHEMES.includes(protocol)) {
    return {
      at: scheme,
      code: "bad-base-url",
      message: `a base URL does not start with \`${scheme}\``,
      hint: `schemes: ${SCHEMES.map((each) => each.slice(0, -1)).join(", ")}`,
    };
  }
  // URL() drops tabs and line breaks and turns \ into /, so they could hide a host.
  // deno-lint-ignore no-control-regex
  const odd = /[\u0000-\u0020\\\u007f]/.exec(text)?.[0];
  let url: URL | undefined;
  try {
    // Other schemes are parsed as opaque, with fewer checks, by the URL standard.
    if (odd === undefined) {
      url = new URL(text.replace(/^(ws|grpc)(s?):/i, "http$2:"));
    }
  } catch {
    url = undefined;
  }
  if (!url || !isAuthority(text)) {
    return {
      at: text,
      code: "bad-base-url",
      message: `"${text}" is not a valid URL`,
    };
  }
  if (
    url.username !== "" || url.password !== "" ||
    new RegExp(USER).test(text)
  ) {
    return {
      at: text.slice(text.indexOf("//") + 2, text.indexOf("@")),
      code: "credentials-in-target",
      message:
        "a target file never carries credentials, but this URL has a user in it",
      hint: "put `auth` into the flow, with {{ env.* }} templates",
    };
  }
  const extra = new RegExp(`${EXTRA}.*$`).exec(text)?.[0];
  if (extra === undefined) return undefined;
  return {
    at: extra,
    code: "bad-base-url",
    message: `a base URL is a host and a path, without \`${extra}\``,
  };
}

/** A machine's own addresses seldom have a certificate. */
function likelyScheme(host: string): string {
  return /^(localhost(:|\/|$)|127\.)/i.test(host) ? "http" : "https";
}

/**
 * Whether the text names a host plainly. The URL standard forgives empty
 * labels, escapes and punctuation in a host; an allow-list must not.
 */
function isAuthority(text: string): boolean {
  const [, authority = ""] = /^[^/]*\/\/([^/?#]*)/.exec(text) ?? [];
  const hostPort = authority.slice(authority.lastIndexOf("@") + 1);
  const [, host = "", port] =
    /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(hostPort) ??
      [];
  const plain = host.startsWith("[") ||
    /^[\p{L}\p{M}\p{N}_-]+(\.[\p{L}\p{M}\p{N}_-]+)*\.?$/u.test(host);
  return plain && (!port || Number(port) >= 1);
}

/** Checks `host:port`, with an IPv6 host in brackets. */
function hostPortError(text: string): Diagnostic<string> | undefined {
  const match = /^(\[[0-9A-Fa-f:.]+\]|[^\s:/@?#[\]]+):(\d{1,5})$/.exec(text);
  if (match && Number(match[2]) >= 1 && Number(match[2]) <= 65_535) return;
  const host = /^\w+:\/\/([^/]+)/.exec(text)?.[1];
  return {
    at: text,
    code: "bad-address",
    message: `\`agent_addr\` must be "host:port", but it is "${text}"`,
    hint: host
      ? `without the scheme: "${host.includes(":") ? host : `${host}:9090`}"`
      : /^[\w.-]+$/.test(text)
      ? `did you mean "${text}:9090"?`
      : 'for example "10.0.0.5:9090"',
  };
}

/** A target file means the same everywhere. */
const fixed = plain({
  why: "the allow-list is fixed before a run",
  hint: "write the value, or keep one target file for each environment",
  marksTemplate: true,
});

const absoluteUrl = checked(
  fixed,
  (text) => hostPattern(text) ?? baseUrlError(text),
  BASE_URL_FORM,
);

/** Elsewhere `/*` in a list of hosts means every path of one. */
const baseUrl: Value<string> = {
  ...absoluteUrl,
  read(slot) {
    const url = absoluteUrl.read(slot);
    if (url?.endsWith("/*")) {
      slot.report({
        at: slot.inside(url.length - 2, 2),
        code: "base-url-pattern",
        severity: "warning",
        message:
          "`/*` is a part of the path here: relative URLs are sent below it",
        hint: "leave it out: the allow-list does not look at paths",
      });
    }
    return url;
  },
};

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
