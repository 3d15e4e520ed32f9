import { BenchError } from "../../base/errors/bench_error.ts";
import type { Diagnostic } from "../../base/text/diagnostic.ts";
import { compilePayload } from "../../language/expressions/payload.ts";
import {
  compileText,
  type Scope,
  type TextTemplate,
} from "../../language/expressions/template.ts";
import {
  ContentError,
  inflate,
  MAX_DECODED_BYTES,
} from "../../wire/http1/content.ts";
import { RequestError } from "../../wire/http1/request_head.ts";
import type { Http2Request } from "../../wire/http2/request.ts";
import { type Origin, parseOrigin } from "../../wire/net/origin.ts";
import type { OpenTools } from "../protocol.ts";
import type { GrpcBlock } from "./block.ts";
import { prepareMetadata } from "./metadata.ts";
import { type Codec, MessageError } from "./protobuf/codec.ts";

/*
 * Length-Prefixed-Message := compressed flag (1 byte) length (4 bytes) message
 * (gRPC over HTTP/2, "Requests").
 */
const PREFIX = 5;

/** A message as it travels, uncompressed. */
function frameMessage(message: Uint8Array): Uint8Array {
  const frame = new Uint8Array(PREFIX + message.length);
  new DataView(frame.buffer).setUint32(1, message.length);
  frame.set(message, PREFIX);
  return frame;
}

/** A compressed message that cannot be read; INTERNAL to gRPC. */
export class CompressionError extends BenchError {
  override readonly name = "CompressionError";
}

/**
 * The one message of a unary response, without its compression. Nothing is ever
 * offered, but a server may compress all the same.
 *
 * @param encoding `grpc-encoding` of the response
 * @throws {SyntaxError} when the body is not exactly one message
 * @throws {CompressionError} when it cannot be decompressed
 */
export function unframeMessage(
  body: Uint8Array,
  encoding: string | undefined,
): Uint8Array {
  if (body.length === 0) throw new SyntaxError("it has no message");
  if (body.length < PREFIX) {
    throw new SyntaxError("its message is cut short");
  }
  const flag = body[0]!;
  if (flag > 1) {
    throw new SyntaxError(`its message begins with the unknown flag ${flag}`);
  }
  const length = new DataView(body.buffer, body.byteOffset).getUint32(1);
  const end = PREFIX + length;
  if (body.length < end) {
    throw new SyntaxError(
      `its message is cut short: ${
        body.length - PREFIX
      } of ${length} bytes came`,
    );
  }
  if (body.length > end) {
    throw new SyntaxError(
      "it has more than one message, which unary calls never have",
    );
  }
  const message = body.subarray(PREFIX, end);
  return flag === 0 ? message : decompressed(message, encoding);
}

/** gRPC's `deflate` has the wrapper of zlib, as HTTP's. */
function decompressed(
  message: Uint8Array,
  encoding: string | undefined,
): Uint8Array {
  if (encoding === undefined || encoding === "identity") {
    throw new CompressionError(
      "its message is marked as compressed, and no `grpc-encoding` says how",
    );
  }
  if (encoding !== "gzip" && encoding !== "deflate") {
    throw new CompressionError(
      `its message is compressed with \`${encoding}\`, which cannot be read: expected gzip or deflate`,
    );
  }
  try {
    return inflate(message, encoding);
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    throw new CompressionError(
      error.code === "too-large"
        ? `its ${encoding} message decodes to more than ${MAX_DECODED_BYTES} bytes`
        : `its message is compressed and broken: ${error.message}`,
    );
  }
}

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

/** The method that a step calls. */
export interface CalledMethod {
  readonly path: string;
  readonly codec: Codec;
  /** The templates of the message that stand for a whole `string`, by JSON Pointer. */
  readonly strings: ReadonlySet<string>;
}

/**
 * Prepares a call: address, metadata and message are made here as far as they
 * are the same for every attempt.
 *
 * @throws {RequestError} when a constant part cannot be sent
 */
export function prepareCall(
  block: GrpcBlock,
  called: CalledMethod,
  tools: OpenTools,
): (scope: Scope) => ReadyCall {
  const { path } = called;
  if (tools.authorizer?.query?.length) {
    throw new RequestError(
      "a gRPC call has no query: its credentials travel in a header",
    );
  }
  const originFor = prepareAddress(block, tools);
  const messageFor = prepareMessage(block, called, tools);
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
  return url === undefined
    ? () => base.origin
    : prepared(compileText(url, names), locate);
}

/** Makes something of a rendered text: once, where it never changes. */
function prepared<Made>(
  { constant, render }: TextTemplate,
  make: (text: string) => Made,
): (scope: Scope) => Made {
  if (constant === undefined) return (scope) => make(render(scope));
  const made = make(constant);
  return () => made;
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
  { codec, strings }: CalledMethod,
  { names }: OpenTools,
): (scope: Scope) => ReadyMessage {
  const template = compilePayload(block.message ?? {}, names, strings);
  return prepared(template, (json) => encode(json, codec));
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
 * The error in `grpc://host:port` or `grpcs://host:port` as far as it is known,
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
      // Not all of it: of an address from the environment that is a part of a secret.
      `a gRPC address ends with its port, but this one goes on with \`${
        rest[0]
      }\``,
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
