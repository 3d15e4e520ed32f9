import type { Scope } from "../../language/expressions/names.ts";
import { compilePayload } from "../../language/expressions/payload.ts";
import { compileText } from "../../language/expressions/template.ts";
import { type Codec, MessageError } from "./protobuf/codec.ts";
import type { Http2Request } from "../../wire/http2/request.ts";
import { type Origin, parseOrigin } from "../../wire/net/origin.ts";
import { RequestError } from "../../wire/http1/request_head.ts";
import type { GrpcBlock } from "./block.ts";
import { frameMessage } from "./frame.ts";
import { prepareMetadata } from "./metadata.ts";
import type { OpenTools } from "../protocol.ts";
import type { Diagnostic } from "../../base/text/diagnostic.ts";

/** A call that is ready to be sent, and where to. */
export interface ReadyCall extends Http2Request {
  readonly origin: Origin;
  readonly path: string;
  /** The message as JSON, for a trace. */
  readonly json: string;
}

interface ReadyMessage {
  readonly json: string;
  readonly bytes: Uint8Array;
  readonly frame: Uint8Array;
}

/**
 * Prepares a call: address, metadata and message are made here as far as they
 * are the same for every attempt.
 *
 * @throws {RequestError} when a constant part cannot be sent
 */
export function prepareCall(
  block: GrpcBlock,
  path: string,
  codec: Codec,
  tools: OpenTools,
): (scope: Scope) => ReadyCall {
  if (tools.authorizer?.query?.length) {
    throw new RequestError(
      "a gRPC call has no query: its credentials travel in a header",
    );
  }
  const originFor = prepareAddress(block, tools);
  const messageFor = prepareMessage(block, codec, tools);
  const metadataFor = prepareMetadata(block, path, tools);
  return (scope) => {
    const origin = originFor(scope);
    const { json, bytes, frame } = messageFor(scope);
    const fields = metadataFor(origin, bytes, scope);
    return { origin, path, fields, body: frame, json };
  };
}

function prepareAddress(
  { url }: GrpcBlock,
  { base, names }: OpenTools,
): (scope: Scope) => Origin {
  if (url === undefined) return () => base.origin;
  const template = compileText(url, names);
  if (template.constant !== undefined) {
    const origin = locate(template.constant);
    return () => origin;
  }
  return (scope) => locate(template.render(scope));
}

function locate(rendered: string): Origin {
  try {
    return parseAddress(rendered);
  } catch (error) {
    throw new RequestError((error as Error).message);
  }
}

function prepareMessage(
  block: GrpcBlock,
  codec: Codec,
  { names }: OpenTools,
): (scope: Scope) => ReadyMessage {
  const template = compilePayload(block.message ?? {}, names);
  if (template.constant !== undefined) {
    const ready = encode(template.constant, codec);
    return () => ready;
  }
  return (scope) => encode(template.render(scope), codec);
}

function encode(json: string, codec: Codec): ReadyMessage {
  try {
    const bytes = codec.encode(json);
    return { json, bytes, frame: frameMessage(bytes) };
  } catch (error) {
    if (!(error instanceof MessageError)) throw error;
    throw new RequestError(
      `the message does not fit its type: ${error.message}`,
    );
  }
}

const TEMPLATE = /\{\{.*?\}\}/g;

/**
 * What is wrong with `grpc://host:port` or `grpcs://host:port` as far as it is known,
 * and in which part of it; an address that begins with a template is checked when it is used.
 */
export function addressError(text: string): Diagnostic<string> | undefined {
  if (text.startsWith("{{")) return undefined;
  const match = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/is.exec(text);
  if (!match) {
    const hint = /^[\w.[\]:{} -]+$/.test(text)
      ? `write grpc://${text}, or grpcs://${text} for TLS`
      : EXAMPLE;
    return wrong(text, `\`${text}\` is not a gRPC address`, hint);
  }
  const [, scheme = "", authority = "", rest = ""] = match;
  const lower = scheme.toLowerCase();
  if (lower !== "grpc" && lower !== "grpcs") {
    const own = lower === "https" ? "grpcs" : "grpc";
    return wrong(
      `${scheme}://`,
      `a gRPC address begins with grpc:// or grpcs://, not with ${scheme}://`,
      `write ${own}://${authority}`,
    );
  }
  if (rest !== "") {
    return wrong(
      rest,
      `a gRPC address has no path, but this one has \`${rest}\``,
      `\`method\` says what is called: write ${lower}://${authority}`,
    );
  }
  try {
    // Stands in for what the template gives: a name, or a port after a colon.
    parseOrigin(`${lower}://${authority.replaceAll(TEMPLATE, "1")}`);
    return undefined;
  } catch (error) {
    return wrong(text, (error as Error).message, EXAMPLE);
  }
}

const EXAMPLE = "for example grpc://localhost:50051";

function wrong(at: string, message: string, hint: string): Diagnostic<string> {
  return { at, code: "bad-address", message, hint };
}

/**
 * The origin of a rendered address.
 *
 * @throws {SyntaxError} when it is not one
 */
function parseAddress(text: string): Origin {
  const error = addressError(text);
  if (error) throw new SyntaxError(error.message);
  return parseOrigin(text);
}
