import { Http2Error } from "./frames/error.ts";
import {
  FIRST_FRAME_SIZE,
  FIRST_WINDOW,
  MOST_WINDOW,
  SETTING,
} from "./frames/frame.ts";
import { uint32 } from "./frames/frame_reader.ts";

/** Bytes of one setting in a SETTINGS frame. */
const SETTING_BYTES = 6;

/** What the server announced; the defaults hold until it did (RFC 9113 section 6.5.2). */
export class ServerSettings {
  headerTableSize = 4_096;
  /** Infinity until the server sets a bound. */
  concurrentStreams = Infinity;
  initialWindow = FIRST_WINDOW;
  frameSize = FIRST_FRAME_SIZE;

  /**
   * Takes the settings that lie in `bytes` from `start` to `end`, in order.
   *
   * @throws {Http2Error} for a value that is out of range
   */
  take(bytes: Uint8Array, start: number, end: number): void {
    if ((end - start) % SETTING_BYTES !== 0) {
      throw new Http2Error(
        "FRAME_SIZE_ERROR",
        `a SETTINGS frame has ${
          end - start
        } bytes, which is no multiple of ${SETTING_BYTES}`,
      );
    }
    for (let at = start; at < end; at += SETTING_BYTES) {
      this.#set((bytes[at]! << 8) | bytes[at + 1]!, uint32(bytes, at + 2));
    }
  }

  #set(id: number, value: number): void {
    switch (id) {
      case SETTING.HEADER_TABLE_SIZE:
        this.headerTableSize = value;
        break;
      case SETTING.ENABLE_PUSH:
        // A server may not turn on what this side turned off.
        if (value !== 0) throw outOfRange("ENABLE_PUSH", value);
        break;
      case SETTING.MAX_CONCURRENT_STREAMS:
        this.concurrentStreams = value;
        break;
      case SETTING.INITIAL_WINDOW_SIZE:
        if (value > MOST_WINDOW) {
          throw outOfRange("INITIAL_WINDOW_SIZE", value, "FLOW_CONTROL_ERROR");
        }
        this.initialWindow = value;
        break;
      case SETTING.MAX_FRAME_SIZE:
        if (value < FIRST_FRAME_SIZE || value > 0xffffff) {
          throw outOfRange("MAX_FRAME_SIZE", value);
        }
        this.frameSize = value;
        break;
    }
  }
}

function outOfRange(
  name: string,
  value: number,
  error: "PROTOCOL_ERROR" | "FLOW_CONTROL_ERROR" = "PROTOCOL_ERROR",
): Http2Error {
  return new Http2Error(
    error,
    `the setting ${name} is ${value}, which is out of range`,
  );
}
