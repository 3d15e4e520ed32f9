import { concatenated } from "../../base/values/bytes.ts";
import type { HeaderList } from "../../base/values/headers.ts";
import type { HttpVersion } from "../../model/result/response.ts";
import { NO_SCOPE, type Scope } from "../../language/expressions/template.ts";
import type { HttpRequest } from "../../wire/http/request.ts";
import { headText } from "../../wire/http1/request_head.ts";
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
import { prepareParts, type RequestParts } from "./request_parts.ts";

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
  const fields2: FieldsOf = (made, length) =>
    http2Fields(parts.http2(made), length, constant);
  const framed = body !== undefined || ALWAYS_FRAMED.has(block.method);
  const make = (scope: Scope, jar?: Cookies) => {
    const content = body?.render(scope) ?? "";
    return new WholeRequest(
      parts.make(scope, content, jar),
      content,
      framed ? String(byteLength(content)) : undefined,
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

const BLOCK = 4_096;

/** A buffer that small ones are parts of: one of its own costs as much as the bytes again. */
class SharedBuffer {
  #block = new Uint8Array(0);
  #used = 0;

  /** Room for so many bytes; undefined when they are many. */
  room(length: number): Uint8Array | undefined {
    if (length > BLOCK / 4) return undefined;
    if (this.#block.length < this.#used + length) {
      this.#block = new Uint8Array(BLOCK);
      this.#used = 0;
    }
    return this.#block.subarray(this.#used, this.#used += length);
  }
}

/** Of requests that VUs keep: one of those would hold the buffer of many that pass. */
const kept = new SharedBuffer();
const passing = new SharedBuffer();

/** A copy of bytes that a VU keeps. */
function packed(bytes: Uint8Array): Uint8Array {
  const copy = kept.room(bytes.length);
  copy?.set(bytes);
  return copy ?? bytes;
}

/** In UTF-8. */
function bytesOf(text: string): Uint8Array {
  const room = passing.room(text.length);
  // Characters beyond ASCII take more.
  return room && encoder.encodeInto(text, room).read === text.length
    ? room
    : encoder.encode(text);
}

function withCookies(by: ConstantRequest, field: string): RequestWithCookies {
  return new RequestWithCookies(by, field);
}

/** The fields for HTTP/2 of a head and, where it is sent, the length of the body. */
type FieldsOf = (
  parts: RequestParts,
  length: string | undefined,
) => RequestFields;

/** A request that holds all its parts. */
export class WholeRequest implements RenderedRequest {
  readonly #parts: RequestParts;
  readonly #body: string | Uint8Array;
  readonly #length: string | undefined;
  readonly #fields: FieldsOf;
  #http1: Uint8Array | undefined;
  #http2: Http2Request | undefined;

  /** @param length of the body in bytes, where it is sent */
  constructor(
    parts: RequestParts,
    body: string | Uint8Array,
    length: string | undefined,
    fields: FieldsOf,
    readonly shown?: RequestBody["shown"],
  ) {
    this.#parts = parts;
    this.#body = body;
    this.#length = length;
    this.#fields = fields;
  }

  get method(): string {
    return this.#parts.method;
  }

  get url(): ResolvedUrl {
    return this.#parts.url;
  }

  http1(): Uint8Array {
    if (this.#http1) return this.#http1;
    const { method, target } = this.#parts;
    const head = headText(method, target, this.#framed());
    return this.#http1 = typeof this.#body === "string"
      ? bytesOf(head + this.#body)
      : concatenated([encoder.encode(head), this.#body]);
  }

  message(
    version: HttpVersion | undefined,
  ): ReturnType<RenderedRequest["message"]> {
    const { method, target } = this.#parts;
    const isHttp2 = version === "2";
    return {
      line: `${method} ${target} HTTP/${isHttp2 ? "2" : "1.1"}`,
      headers: isHttp2
        ? regularFields(this.http2().fields)
        : this.#framed().filter(([, value]) => value !== ""),
      body: this.#bytes(),
    };
  }

  #framed(): HeaderList {
    const { fields } = this.#parts;
    return this.#length === undefined
      ? fields
      : [...fields, ["Content-Length", this.#length]];
  }

  #bytes(): Uint8Array {
    if (typeof this.#body !== "string") return this.#body;
    return this.#body === "" ? NOTHING : encoder.encode(this.#body);
  }

  http2(): Http2Request {
    return this.#http2 ??= {
      fields: this.#fields(this.#parts, this.#length),
      body: this.#bytes(),
      head: this.method === "HEAD",
    };
  }
}
