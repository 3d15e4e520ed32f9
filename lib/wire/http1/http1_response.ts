import type { Failure } from "../../model/result/failure.ts";
import type { Marks } from "../../model/result/response.ts";
import {
  type HeaderList,
  headerValue,
  headerValues,
} from "../../base/values/headers.ts";
import type { JsonSearch } from "../../base/values/json_search.ts";
import type { WireResponse } from "../net/wire_response.ts";
import type { ResponseReader } from "./response_reader.ts";
import { latin1 } from "../net/ascii.ts";

const NOTHING = new Uint8Array(0);

/** Where a response lies: its connection's reader, or a copy. */
interface Buffered {
  readonly head: Pick<ResponseReader["head"], "fields" | "start" | "statusEnd">;
  readonly bytes: Uint8Array;
  readonly bodyStart: number;
  readonly bodyEnd: number;
  readonly trailers: HeaderList;
}

/** A response that lies in its connection's buffer until `detach()`. */
export class Http1Response implements WireResponse {
  readonly version = "1.1";
  readonly failure?: Failure;
  readonly status: number;
  readonly tooLarge: boolean;
  readonly bodyBytes: number;
  readonly encoded: boolean;
  readonly setsCookies: boolean;
  readonly #generation: number;
  #copy: Buffered | undefined;

  constructor(
    readonly reader: ResponseReader,
    failure: Failure | undefined,
    readonly marks: Readonly<Marks>,
    readonly bytesSent: number,
    readonly bytesReceived: number,
  ) {
    if (failure) this.failure = failure;
    this.status = reader.head.status;
    this.tooLarge = reader.tooLarge;
    this.bodyBytes = reader.bodyBytes;
    this.encoded = reader.head.encoded;
    this.setsCookies = reader.head.setsCookies;
    this.#generation = reader.generation;
  }

  get statusLine(): string {
    const { head, bytes } = this.#buffered();
    return latin1(bytes, head.start, head.statusEnd);
  }

  get body(): Uint8Array {
    const { bytes, bodyStart, bodyEnd } = this.#buffered();
    return bodyStart === bodyEnd ? NOTHING : bytes.subarray(bodyStart, bodyEnd);
  }

  search(search: JsonSearch, by: object): boolean {
    const { bytes, bodyStart, bodyEnd } = this.#buffered();
    return search.search(bytes, bodyStart, bodyEnd, by);
  }

  headers(): HeaderList {
    const { head, bytes, trailers } = this.#buffered();
    return [...head.fields.list(bytes), ...trailers];
  }

  header(name: string): string | undefined {
    const { head, bytes, trailers } = this.#buffered();
    return head.fields.find(bytes, name.toLowerCase()) ??
      headerValue(trailers, name);
  }

  lines(name: string): string[] {
    const { head, bytes, trailers } = this.#buffered();
    const lines = head.fields.findAll(bytes, name.toLowerCase());
    return lines.length > 0 ? lines : headerValues(trailers, name);
  }

  get trailers(): HeaderList {
    return this.#buffered().trailers;
  }

  detach(): void {
    if (this.#copy) return;
    const { bodyStart, bodyEnd, trailers } = this.#buffered();
    const { head } = this.reader;
    this.#copy = {
      head: {
        fields: head.fields.copy(),
        start: head.start,
        statusEnd: head.statusEnd,
      },
      bytes: this.reader.handOver(),
      bodyStart,
      bodyEnd,
      trailers,
    };
  }

  get stale(): boolean {
    return !this.#copy && this.reader.generation !== this.#generation;
  }

  /** A view of overwritten bytes would be another exchange's response. */
  #buffered(): Buffered {
    if (this.#copy) return this.#copy;
    if (this.stale) {
      throw new Error(
        "This response was overwritten by a later exchange: call `detach()` before it",
      );
    }
    return this.reader;
  }
}
