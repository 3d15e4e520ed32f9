import type { Failure } from "../../model/result/failure.ts";
import type { Marks } from "../../model/result/reply.ts";
import { type HeaderList, headerValue } from "../../base/values/headers.ts";
import type { Answer } from "./answer.ts";
import type { AnswerReader } from "./answer_reader.ts";
import { latin1 } from "../net/ascii.ts";

const NOTHING = new Uint8Array(0);

/** An answer that lies in its connection's buffer until `detach()`. */
export class HttpAnswer implements Answer {
  readonly failure?: Failure;
  readonly status: number;
  readonly #generation: number;
  #copy: { line: string; headers: HeaderList; body: Uint8Array } | undefined;

  constructor(
    readonly reader: AnswerReader,
    failure: Failure | undefined,
    readonly marks: Readonly<Marks>,
    readonly bytesSent: number,
    readonly bytesReceived: number,
  ) {
    if (failure) this.failure = failure;
    this.status = reader.head.status;
    this.#generation = reader.generation;
  }

  get statusLine(): string {
    if (this.#copy) return this.#copy.line;
    const { head, bytes } = this.#live();
    return latin1(bytes, head.start, head.statusEnd);
  }

  get body(): Uint8Array {
    if (this.#copy) return this.#copy.body;
    const { bytes, bodyStart, bodyEnd } = this.#live();
    return bodyStart === bodyEnd ? NOTHING : bytes.subarray(bodyStart, bodyEnd);
  }

  get encoded(): boolean {
    return this.reader.head.encoded;
  }

  headers(): HeaderList {
    if (this.#copy) return this.#copy.headers;
    const { head, bytes, trailers } = this.#live();
    return [...head.fields.list(bytes), ...trailers];
  }

  header(name: string): string | undefined {
    if (this.#copy) return headerValue(this.#copy.headers, name);
    const { head, bytes, trailers } = this.#live();
    return head.fields.find(bytes, name.toLowerCase()) ??
      headerValue(trailers, name);
  }

  detach(): void {
    this.#copy ??= {
      line: this.statusLine,
      headers: this.headers(),
      body: this.body.slice(),
    };
  }

  get stale(): boolean {
    return !this.#copy && this.reader.generation !== this.#generation;
  }

  /** A view of overwritten bytes would be somebody else's answer. */
  #live(): AnswerReader {
    if (this.stale) {
      throw new Error(
        "This answer was overwritten by a later exchange: call `detach()` before it",
      );
    }
    return this.reader;
  }
}

/** The answer of an exchange that never got as far as a connection. */
export function noAnswer(failure: Failure, marks: Readonly<Marks>): Answer {
  return {
    failure,
    status: 0,
    statusLine: "",
    body: NOTHING,
    encoded: false,
    marks,
    bytesSent: 0,
    bytesReceived: 0,
    headers: () => [],
    header: () => undefined,
    detach: () => {},
    stale: false,
  };
}
