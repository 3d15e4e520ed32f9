import type { Failure } from "../../model/result/failure.ts";
import { CLOSE, type WebSocketError } from "../../wire/websocket/frame.ts";
import {
  ABNORMAL_CLOSURE,
  closeCodeText,
  TRY_AGAIN_LATER,
} from "./close_codes.ts";

/** Why nothing more comes on a session. */
export interface SessionEnd {
  readonly throttled: boolean;
  readonly failure: Failure;
  /** As the server closed it, such as `close 1011 (internal error)`. */
  readonly line?: string;
  readonly reason?: string;
}

export const GIVEN_UP: SessionEnd = {
  throttled: false,
  failure: {
    code: "aborted",
    message: "The session was closed before the frame came",
  },
};

export const TIMED_OUT: SessionEnd = {
  throttled: false,
  failure: {
    code: "session",
    message: "the session is closed: an earlier step timed out on it",
  },
};

/** The server closed it, or its connection. */
export function closed(code: number, reason: string): SessionEnd {
  const named = closeCodeText(code);
  const message = code === ABNORMAL_CLOSURE
    ? `the connection ended without a close frame: code ${named}`
    : `the server closed the session with code ${named}${
      reason && `: ${reason}`
    }`;
  return {
    throttled: code === TRY_AGAIN_LATER,
    failure: { code: "closed", message },
    line: `close ${named}`,
    reason,
  };
}

/** What came could not be read as frames. */
export function unreadable({ closeCode, message }: WebSocketError): SessionEnd {
  return {
    throttled: false,
    failure: closeCode === CLOSE.TOO_BIG
      ? { code: "too-large", message }
      : { code: "protocol", message: `protocol: ${message}` },
  };
}
