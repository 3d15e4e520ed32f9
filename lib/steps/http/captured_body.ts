import { Buffer } from "node:buffer";
import type { CapturedMessage } from "../../model/result/reply.ts";

/**
 * A body as a trace holds it: text when it is UTF-8, else base64. It is cut to
 * its limit only after redaction, so that no secret is cut in half.
 */
export function captureBody(
  body: Uint8Array,
  contentType: string | undefined,
): Pick<CapturedMessage, "body" | "body_encoding" | "body_bytes"> {
  const body_bytes = body.length;
  if (!isBinary(contentType)) {
    try {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(body);
      return { body: text, body_bytes };
    } catch {
      // Not UTF-8: base64 below.
    }
  }
  return {
    body: Buffer.from(body).toString("base64"),
    body_encoding: "base64",
    body_bytes,
  };
}

function isBinary(contentType: string | undefined): boolean {
  return /^(image|audio|video|font)\/(?!svg)|octet-stream|zip/i.test(
    contentType ?? "",
  );
}
