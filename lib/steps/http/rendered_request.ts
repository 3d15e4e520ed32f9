import type { HttpRequest } from "../../wire/http/request.ts";
import type { Http2Request, RequestFields } from "../../wire/http2/request.ts";
import type { ResolvedUrl } from "../../wire/net/url.ts";

const encoder = new TextEncoder();
const NOTHING = new Uint8Array(0);

/** A request with its values filled in; the bytes of a version are made once. */
export class RenderedRequest implements HttpRequest {
  readonly #head: string;
  readonly #body: string;
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
    body: string,
    fields: () => RequestFields,
  ) {
    this.#head = head;
    this.#body = body;
    this.#fields = fields;
  }

  http1(): Uint8Array {
    return this.#http1 ??= encoder.encode(this.#head + this.#body);
  }

  http2(): Http2Request {
    return this.#http2 ??= {
      fields: this.#fields(),
      body: this.#body === "" ? NOTHING : encoder.encode(this.#body),
      head: this.method === "HEAD",
    };
  }
}
