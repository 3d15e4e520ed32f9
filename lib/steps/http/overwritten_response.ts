import { SharedList } from "../../base/values/shared_list.ts";
import type { Capture } from "../../language/ir.ts";
import type {
  BodyLimits,
  CapturedMessage,
  HttpVersion,
  Marks,
  ReusedResponses,
  StepResponse,
} from "../../model/result/response.ts";

/** The requests of a protocol, as they are shown in traces. */
export interface ShownRequests<Sent> {
  origin(sent: Sent): string;
  captured(
    sent: Sent,
    version: HttpVersion | undefined,
    capture: Capture,
    limits?: BodyLimits,
  ): CapturedMessage | undefined;
}

/** The parts of a response that outlast the next exchange on its connection. */
interface Exchanged<Sent = unknown> {
  readonly marks: Readonly<Marks>;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  readonly status?: number;
  readonly httpVersion: HttpVersion | undefined;
  readonly sent: Sent;
  readonly capture: Capture;
}

/**
 * A response that passed and was overwritten by the next one: its times, and its request.
 * It is its own marks. The responses of an iteration stay until it ends, and a flow may have
 * hundreds of steps.
 */
export class OverwrittenResponse implements StepResponse, Readonly<Marks> {
  // Fields that never were undefined have their number in them; used again, they make none.
  declare start: number;
  declare dns: number;
  declare connect: number;
  declare tls: number;
  declare firstByte: number;
  declare end: number;
  declare bytesSent: number;
  declare bytesReceived: number;
  declare status: number;
  declare httpVersion: HttpVersion | undefined;
  #sent: unknown;
  #capture: Capture = "none";
  readonly #shown: ShownRequests<unknown>;

  private constructor(shown: ShownRequests<unknown>) {
    this.#shown = shown;
  }

  /** A response, which is that of an earlier step where there is one. */
  static of<Sent>(
    exchanged: Exchanged<Sent>,
    shown: ShownRequests<Sent>,
    spare?: StepResponse,
  ): OverwrittenResponse {
    const isSpare = spare instanceof OverwrittenResponse &&
      spare.#shown === shown;
    const response = isSpare ? spare : new OverwrittenResponse(shown);
    const { start, dns, connect, tls, firstByte, end } = exchanged.marks;
    response.start = start;
    response.dns = dns;
    response.connect = connect;
    response.tls = tls;
    response.firstByte = firstByte;
    response.end = end;
    response.bytesSent = exchanged.bytesSent;
    response.bytesReceived = exchanged.bytesReceived;
    response.status = exchanged.status!;
    response.httpVersion = exchanged.httpVersion;
    response.#sent = exchanged.sent;
    response.#capture = exchanged.capture;
    return response;
  }

  get reused(): ReusedResponses {
    return OverwrittenResponse;
  }

  /** Of `ReusedResponses`. What is the same in each iteration is kept once. */
  static pack(responses: readonly StepResponse[]): () => OverwrittenResponse[] {
    const all = responses as readonly OverwrittenResponse[];
    const numbers = new Float64Array(all.length * NUMBERS);
    for (let index = 0; index < all.length; index++) {
      const each = all[index]!;
      const at = index * NUMBERS;
      numbers[at] = each.start;
      numbers[at + 1] = each.dns;
      numbers[at + 2] = each.connect;
      numbers[at + 3] = each.tls;
      numbers[at + 4] = each.firstByte;
      numbers[at + 5] = each.end;
      numbers[at + 6] = each.bytesSent;
      numbers[at + 7] = each.bytesReceived;
      numbers[at + 8] = each.status;
    }
    const versions = VERSIONS.of(all.map((each) => each.httpVersion));
    const requests = REQUESTS.of(all.map((each) => each.#sent));
    const captures = CAPTURES.of(all.map((each) => each.#capture));
    const shown = SHOWN.of(all.map((each) => each.#shown));
    return () =>
      requests.map((sent, index) => {
        const at = index * NUMBERS;
        return OverwrittenResponse.of({
          marks: {
            start: numbers[at]!,
            dns: numbers[at + 1]!,
            connect: numbers[at + 2]!,
            tls: numbers[at + 3]!,
            firstByte: numbers[at + 4]!,
            end: numbers[at + 5]!,
          },
          bytesSent: numbers[at + 6]!,
          bytesReceived: numbers[at + 7]!,
          status: numbers[at + 8]!,
          httpVersion: versions[index],
          sent,
          capture: captures[index]!,
        }, shown[index]!);
      });
  }

  get signal(): "ok" {
    return "ok";
  }

  get marks(): Readonly<Marks> {
    return this;
  }

  get origin(): string {
    return this.#shown.origin(this.#sent);
  }

  get heldBytes(): number {
    return this.bytesSent;
  }

  get overwritten(): true {
    return true;
  }

  retryAfter(): undefined {
    return undefined;
  }

  headers(): readonly string[] {
    return [];
  }

  json(): undefined {
    return undefined;
  }

  detach(): void {}

  capturedRequest(limits?: BodyLimits): CapturedMessage | undefined {
    return this.#shown.captured(
      this.#sent,
      this.httpVersion,
      this.#capture,
      limits,
    );
  }

  capturedResponse(): undefined {
    return undefined;
  }
}

/** Of a response. */
const NUMBERS = 9;
const VERSIONS = new SharedList<HttpVersion | undefined>();
const REQUESTS = new SharedList<unknown>();
const CAPTURES = new SharedList<Capture>();
const SHOWN = new SharedList<ShownRequests<unknown>>();
