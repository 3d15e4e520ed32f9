import { narrowed } from "../../base/values/counts.ts";
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
    const times = new Float64Array(all.length * TIMES);
    const counts = new Array<number>(all.length * COUNTS);
    for (let index = 0; index < all.length; index++) {
      const each = all[index]!;
      times[index * TIMES] = each.start;
      times[index * TIMES + 1] = each.dns;
      times[index * TIMES + 2] = each.connect;
      times[index * TIMES + 3] = each.tls;
      times[index * TIMES + 4] = each.firstByte;
      times[index * TIMES + 5] = each.end;
      counts[index * COUNTS] = each.bytesSent;
      counts[index * COUNTS + 1] = each.bytesReceived;
      counts[index * COUNTS + 2] = each.status;
    }
    const held = narrowed(counts);
    const versions = VERSIONS.of(all.map((each) => each.httpVersion));
    const requests = REQUESTS.of(all.map((each) => each.#sent));
    const captures = CAPTURES.of(all.map((each) => each.#capture));
    const shown = SHOWN.of(all.map((each) => each.#shown));
    return () =>
      requests.map((sent, index) => {
        const at = index * TIMES;
        return OverwrittenResponse.of({
          marks: {
            start: times[at]!,
            dns: times[at + 1]!,
            connect: times[at + 2]!,
            tls: times[at + 3]!,
            firstByte: times[at + 4]!,
            end: times[at + 5]!,
          },
          bytesSent: held[index * COUNTS]!,
          bytesReceived: held[index * COUNTS + 1]!,
          status: held[index * COUNTS + 2]!,
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

const TIMES = 6;
const COUNTS = 3;
const VERSIONS = new SharedList<HttpVersion | undefined>();
const REQUESTS = new SharedList<unknown>();
const CAPTURES = new SharedList<Capture>();
const SHOWN = new SharedList<ShownRequests<unknown>>();
