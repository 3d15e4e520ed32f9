import { Buffer } from "node:buffer";
import type { Failure } from "../../model/result/failure.ts";
import type { Marks } from "../../model/result/response.ts";
import {
  type HeaderList,
  headerValue,
  headerValues,
} from "../../base/values/headers.ts";
import type { JsonSearch } from "../../base/values/json_search.ts";
import type { WireResponse } from "../net/wire_response.ts";
import { fieldText, latin1 } from "../net/ascii.ts";
import { WireError } from "../net/wire_error.ts";
import { Head } from "./head.ts";
import type { ResponseReader } from "./response_reader.ts";

const NOTHING = new Uint8Array(0);

/** Where a response lies: its connection's reader, or a copy. */
interface Buffered {
  readonly head: Pick<ResponseReader["head"], "fields" | "start" | "statusEnd">;
  readonly bytes: Uint8Array;
  readonly bodyStart: number;
  readonly bodyEnd: number;
  readonly trailers: HeaderList;
}

/**
 * A response that has left its connection's buffer. A short one is a text: that is a third of
 * the memory of an array and the offsets of its fields, and few are ever looked at.
 */
class Copy {
  readonly #start: number;
  readonly #bodyStart: number;
  readonly #bodyEnd: number;
  readonly #trailers: HeaderList;
  readonly #bytes: string | Uint8Array;
  readonly #number = ++copies;

  constructor(reader: ResponseReader) {
    this.#start = reader.head.start;
    this.#bodyStart = reader.bodyStart;
    this.#bodyEnd = reader.bodyEnd;
    this.#trailers = reader.trailers;
    this.#bytes = reader.filled > SHORT_BYTES
      ? reader.handOver()
      : latin1(reader.bytes, 0, reader.filled);
  }

  /** Valid until another copy is read. */
  read(): Buffered {
    if (lastRead.copy !== this.#number) this.#read();
    return {
      head: lastRead.head,
      bytes: typeof this.#bytes === "string" ? lastRead.text : this.#bytes,
      bodyStart: this.#bodyStart,
      bodyEnd: this.#bodyEnd,
      trailers: this.#trailers,
    };
  }

  #read(): void {
    const isText = typeof this.#bytes === "string";
    const bytes = isText ? bytesOf(this.#bytes) : this.#bytes;
    lastRead.copy = this.#number;
    lastRead.text = isText ? bytes : NOTHING;
    const { head } = lastRead;
    head.reset(this.#start);
    try {
      head.read(bytes, bytes.length);
    } catch (error) {
      // Up to here it had fields.
      if (!(error instanceof WireError)) throw error;
    }
  }
}

/** No `Buffer`: all that reads heads would be compiled once more, for both. */
function bytesOf(text: string): Uint8Array {
  const { buffer, byteOffset, length } = Buffer.from(text, "latin1");
  return new Uint8Array(buffer, byteOffset, length);
}

let copies = 0;

/**
 * A trace looks at all parts of one copy, then at the next, and a head may have 50,000 fields.
 * The bytes of a long copy are not held by it.
 */
const lastRead = { copy: 0, head: new Head(), text: NOTHING as Uint8Array };

/** So many bytes of a response are a short one. */
const SHORT_BYTES = 4_096;

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
  /** Until it is copied: a trace would hold the buffers of a connection that is closed. */
  #reader: ResponseReader | undefined;
  #copy: Copy | undefined;

  constructor(
    reader: ResponseReader,
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
    this.#reader = reader;
    this.#generation = reader.generation;
  }

  get statusLine(): string {
    const { head, bytes } = this.#buffered();
    return fieldText(latin1(bytes, head.start, head.statusEnd));
  }

  get body(): Uint8Array {
    const { bytes, bodyStart, bodyEnd } = this.#buffered();
    return bodyStart === bodyEnd ? NOTHING : bytes.subarray(bodyStart, bodyEnd);
  }

  search(search: JsonSearch, by: object): boolean {
    const { bytes, bodyStart, bodyEnd } = this.#buffered();
    return search.search(bytes, bodyStart, bodyEnd, by);
  }

  headers(most?: number): HeaderList {
    const { head, bytes, trailers } = this.#buffered();
    return [...head.fields.list(bytes, most), ...trailers];
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
    this.#copy = new Copy(this.#inReader());
    this.#reader = undefined;
  }

  get stale(): boolean {
    return this.#reader !== undefined &&
      this.#reader.generation !== this.#generation;
  }

  #buffered(): Buffered {
    return this.#copy ? this.#copy.read() : this.#inReader();
  }

  /** A view of overwritten bytes would be another exchange's response. */
  #inReader(): ResponseReader {
    if (this.stale) {
      throw new Error(
        "This response was overwritten by a later exchange: call `detach()` before it",
      );
    }
    return this.#reader!;
  }
}
