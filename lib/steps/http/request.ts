import { concatenated } from "../../base/values/bytes.ts";
import type { HeaderList } from "../../base/values/headers.ts";
import type { HttpVersion } from "../../model/result/response.ts";
import { NO_SCOPE, type Scope } from "../../language/expressions/template.ts";
import type { HttpRequest } from "../../wire/http/request.ts";
import { requestHead } from "../../wire/http1/request_head.ts";
import { FieldBlock } from "../../wire/http2/hpack/encoder.ts";
import {
  type Http2Request,
  regularFields,
  type RequestFields,
} from "../../wire/http2/request.ts";
import type { ResolvedUrl } from "../../wire/net/url.ts";
import type { CookieJar, Cookies } from "../cookie_jar.ts";
import type { OpenTools } from "../protocol.ts";
import type { HttpBlock } from "./block.ts";
import type { RequestBody } from "./body.ts";
import { prepareParts, targetOf } from "./request_parts.ts";

const encoder = new TextEncoder();

/**
 * Prepares a request: everything that is the same for every attempt is
 * computed here, down to the finished bytes when nothing changes at all.
 *
 * Fields travel in this order: Host, declared headers (sorted, as in the IR),
 * auth, User-Agent, Content-Type, Content-Length.
 *
 * @throws {RequestError} when a constant part cannot be in a request
 */
export function prepareRequest(
  block: HttpBlock,
  tools: OpenTools,
  body?: RequestBody,
): (scope: Scope, jar?: CookieJar) => RenderedRequest {
  const parts = prepareParts(block, tools, body?.type);
  const constant = parts.constant &&
    (body === undefined || body.constant !== undefined);
  const make = (scope: Scope, jar?: Cookies) => {
    const content = body?.render(scope) ?? "";
    const made = parts.make(scope, content, jar);
    const { url, target, fields } = made;
    const length = body || ALWAYS_FRAMED.has(block.method)
      ? String(byteLength(content))
      : undefined;
    const framed: HeaderList = length === undefined
      ? fields
      : [...fields, ["Content-Length", length]];
    const head = requestHead(block.method, target, framed);
    const fields2 = () => http2Fields(parts.http2(made), length, constant);
    return new WholeRequest(
      block.method,
      url,
      head,
      content,
      fields2,
      body?.shown,
    );
  };
  if (!constant) return make;
  const ready = make(NO_SCOPE);
  const { cookies } = parts;
  if (cookies === undefined) return () => ready;
  // The same for every attempt, as long as the VU has the same cookies.
  const by = { ready, make: (from: Cookies) => make(NO_SCOPE, from) };
  return (_, jar) => {
    const field = jar?.field(ready.url, cookies) ?? cookies;
    return !jar || field === cookies ? ready : jar.made(by, field, withCookies);
  };
}

/** In one block when they never change. */
function http2Fields(
  parts: RequestFields,
  length: string | undefined,
  constant: boolean,
): RequestFields {
  const fields: RequestFields = length === undefined
    ? parts
    : [...parts, { name: "content-length", value: length, literal: "once" }];
  if (!constant) return fields;
  return [
    new FieldBlock(
      fields.flatMap((each) => each instanceof FieldBlock ? each.fields : each),
    ),
  ];
}

/** A body may be expected with these, so an empty one is said (RFC 9110 8.6). */
const ALWAYS_FRAMED: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

function byteLength(text: string | Uint8Array): number {
  if (typeof text !== "string") return text.length;
  // deno-lint-ignore no-control-regex -- the question is whether it is ASCII
  return /^[\x00-\x7f]*$/.test(text)
    ? text.length
    : encoder.encode(text).length;
}

const NOTHING = new Uint8Array(0);

/** A request with its values filled in; the bytes of a version are made once. */
export interface RenderedRequest extends HttpRequest {
  readonly url: ResolvedUrl;
  readonly shown?: RequestBody["shown"];
  /** The request as a trace shows it, in the version of HTTP it was sent in. */
  message(version: HttpVersion | undefined): {
    readonly line: string;
    readonly headers: HeaderList;
    readonly body: Uint8Array;
  };
}

/** A request that is the same for all, but for what their jars say. */
interface ConstantRequest {
  readonly ready: RenderedRequest;
  make(cookies: Cookies): RenderedRequest;
}

/** A request with the cookies of a VU, which keeps it: it holds what is sent, and the rest is made again when a trace asks. */
class RequestWithCookies implements RenderedRequest {
  #http1: Uint8Array | undefined;
  #http2: Http2Request | undefined;

  constructor(readonly by: ConstantRequest, readonly field: string) {}

  get method(): string {
    return this.by.ready.method;
  }

  get url(): ResolvedUrl {
    return this.by.ready.url;
  }

  get shown(): RequestBody["shown"] {
    return this.by.ready.shown;
  }

  http1(): Uint8Array {
    return this.#http1 ??= packed(this.#whole().http1());
  }

  http2(): Http2Request {
    return this.#http2 ??= this.#whole().http2();
  }

  message(
    version: HttpVersion | undefined,
  ): ReturnType<RenderedRequest["message"]> {
    return this.#whole().message(version);
  }

  #whole(): RenderedRequest {
    return this.by.make({ field: () => this.field });
  }
}

let block = new Uint8Array(0);
const BLOCK = 4_096;

/** A copy that shares a small buffer with others: one of its own costs as much as the bytes again. */
function packed(bytes: Uint8Array): Uint8Array {
  const { length } = bytes;
  if (length > BLOCK / 4) return bytes;
  if (block.length < length) block = new Uint8Array(BLOCK);
  const copy = block.subarray(0, length);
  copy.set(bytes);
  block = block.subarray(length);
  return copy;
}

function withCookies(by: ConstantRequest, field: string): RequestWithCookies {
  return new RequestWithCookies(by, field);
}

/** A request that holds all its parts. */
export class WholeRequest implements RenderedRequest {
  readonly #head: string;
  readonly #body: string | Uint8Array;
  readonly #fields: () => RequestFields;
  #http1: Uint8Array | undefined;
  #http2: Http2Request | undefined;

  /**
   * @param head for HTTP/1.1, checked
   * @param fields for HTTP/2
   */
  constructor(
    readonly method: string,
    readonly url: ResolvedUrl,
    head: string,
    body: string | Uint8Array,
    fields: () => RequestFields,
    readonly shown?: RequestBody["shown"],
  ) {
    this.#head = head;
    this.#body = body;
    this.#fields = fields;
  }

  http1(): Uint8Array {
    return this.#http1 ??= typeof this.#body === "string"
      ? encoder.encode(this.#head + this.#body)
      : concatenated([encoder.encode(this.#head), this.#body]);
  }

  message(
    version: HttpVersion | undefined,
  ): ReturnType<RenderedRequest["message"]> {
    const body = this.#bytes();
    if (version === "2") {
      const line = `${this.method} ${targetOf(this.url)} HTTP/2`;
      return { line, headers: regularFields(this.http2().fields), body };
    }
    const [line = "", ...fields] = this.#head.slice(0, -"\r\n\r\n".length)
      .split("\r\n");
    const headers = fields.map((field): [string, string] => {
      const colon = field.indexOf(":");
      return [field.slice(0, colon), field.slice(colon + 1).trimStart()];
    });
    return { line, headers, body };
  }

  #bytes(): Uint8Array {
    if (typeof this.#body !== "string") return this.#body;
    return this.#body === "" ? NOTHING : encoder.encode(this.#body);
  }

  http2(): Http2Request {
    return this.#http2 ??= {
      fields: this.#fields(),
      body: this.#bytes(),
      head: this.method === "HEAD",
    };
  }
}
