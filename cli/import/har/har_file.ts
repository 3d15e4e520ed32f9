import { isObject } from "../../../lib/base/values/json.ts";
import { Refused } from "../../../lib/base/errors/bench_error.ts";

/** One request of a recording and what came back. */
export interface Exchange {
  readonly method: string;
  readonly url: URL;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: { readonly text: string; readonly type: string };
  readonly status: number;
  readonly responseHeaders: readonly (readonly [name: string, value: string])[];
  readonly responseType: string;
  /** Absent when the recording does not hold it, or it is not text. */
  readonly responseText?: string;
  /** What a browser loaded it as: `xhr`, `script`, `document`. */
  readonly resource: string;
}

/**
 * The exchanges of a HAR file (1.1 and 1.2), in the order in which they began.
 *
 * @throws {Refused} when it is not one
 */
export function readHar(text: string, file: string): Exchange[] {
  let har: unknown;
  try {
    har = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw new Refused(`${file} is not JSON: ${(error as Error).message}`);
  }
  const log = isObject(har) ? har["log"] : undefined;
  const entries = isObject(log) ? log["entries"] : undefined;
  if (!Array.isArray(entries)) {
    throw new Refused(
      `${file} is not a HAR file: it has no \`log.entries\``,
      "browsers write one under Network, Save all as HAR",
    );
  }
  const began = (entry: Fields) => Date.parse(String(entry["startedDateTime"]));
  return entries.filter(isObject)
    .sort((a, b) => (began(a) - began(b)) || 0)
    .flatMap((entry) => exchangeOf(entry) ?? []);
}

type Fields = Readonly<Record<string, unknown>>;
const fields = (value: unknown): Fields => isObject(value) ? value : {};
const text = (value: unknown): string =>
  typeof value === "string" ? value.toWellFormed() : "";

/** Undefined for what is no exchange of HTTP: `data:`, `blob:`, WebSockets. */
function exchangeOf(entry: Fields): Exchange | undefined {
  const request = fields(entry["request"]);
  const response = fields(entry["response"]);
  const url = URL.parse(text(request["url"]));
  if (!url || !/^https?:$/.test(url.protocol)) return;
  const content = fields(response["content"]);
  const responseText = contentText(content);
  const post = fields(request["postData"]);
  const sent = postText(post);
  return {
    method: text(request["method"]).toUpperCase() || "GET",
    url,
    headers: headersOf(request["headers"]),
    ...(sent !== undefined &&
      { body: { text: sent, type: text(post["mimeType"]) } }),
    status: Number(response["status"]) || 0,
    responseHeaders: headersOf(response["headers"]),
    responseType: text(content["mimeType"]).split(";")[0]!.trim().toLowerCase(),
    ...(responseText !== undefined && { responseText }),
    resource: text(entry["_resourceType"]).toLowerCase(),
  };
}

/** HTTP/2 has names in lower case, and pseudo fields, which are not sent. */
function headersOf(list: unknown): [string, string][] {
  if (!Array.isArray(list)) return [];
  return list.map(fields).flatMap((each) => {
    const name = text(each["name"]);
    // Firefox joins cookies that are set with a line break.
    return text(each["value"]).split("\n")
      .map((value): [string, string] => [name, value]);
  }).filter(([name]) => name !== "" && !name.startsWith(":"));
}

function postText(post: Fields): string | undefined {
  const written = text(post["text"]);
  if (written !== "") return written;
  if (!Array.isArray(post["params"]) || post["params"].length === 0) return;
  return post["params"].map(fields).map((each) =>
    `${encodeURIComponent(text(each["name"]))}=${
      encodeURIComponent(text(each["value"]))
    }`
  ).join("&");
}

function contentText(content: Fields): string | undefined {
  if (typeof content["text"] !== "string") return;
  if (content["encoding"] !== "base64") return text(content["text"]);
  try {
    return new TextDecoder("utf-8", { fatal: true })
      .decode(Uint8Array.fromBase64(content["text"]));
  } catch {
    return;
  }
}
