import {
  HttpResponse,
  type Judge,
} from "../../../../lib/steps/http/response.ts";
import { WholeRequest } from "../../../../lib/steps/http/request.ts";
import { startMarks } from "../../../../lib/model/result/response.ts";
import { headerValues } from "../../../../lib/base/values/headers.ts";
import { parseOrigin } from "../../../../lib/wire/net/origin.ts";
import type { WireResponse } from "../../../../lib/wire/net/wire_response.ts";

/** A response that came whole; a body that is no string is sent as JSON. */
export function wireResponse(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): WireResponse {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const list = Object.entries(headers);
  const bytes = new TextEncoder().encode(text);
  return {
    status,
    statusLine: `HTTP/1.1 ${status} Reason`,
    body: bytes,
    search: (search, by) => search.search(bytes, 0, bytes.length, by),
    tooLarge: false,
    bodyBytes: text.length,
    encoded: false,
    setsCookies: false,
    marks: { ...startMarks(0), firstByte: 2, end: 3 },
    bytesSent: 10,
    bytesReceived: text.length,
    headers: () => list,
    header: (name) =>
      list.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1],
    lines: (name) => headerValues(list, name),
    detach() {},
    trailers: [],
    stale: false,
  };
}

/** What it returns. */
export const SENT: WholeRequest = new WholeRequest(
  {
    method: "POST",
    url: { origin: parseOrigin("http://shop.test"), path: "/", query: "" },
    target: "/",
    fields: [],
  },
  "",
  undefined,
  () => [],
);

/** The response to a POST that got this. */
export function httpResponse(
  response: WireResponse,
  judge?: Judge,
): HttpResponse {
  return new HttpResponse(
    response,
    SENT,
    () => 0,
    "full",
    judge,
  );
}
