import type protobuf from "protobufjs";
import { BenchError } from "../../../base/errors/bench_error.ts";
import type { JsonObject, JsonValue } from "../../../base/values/json.ts";
import { hasLongInteger, readJson } from "../../../base/values/read_json.ts";
import { compileJsonWriter, type Decoded } from "./json_writer.ts";
import { withDigits } from "./digits.ts";
import { checkMessage, type Templated } from "./message_check.ts";
import type { UnaryMethod } from "./method.ts";
import type { Library } from "./library.ts";
import { compileRequired, typesWithin } from "./field_words.ts";
import { statusReader } from "./status_details.ts";

/** The largest float, as a double is written that rounds to it; the library takes it for larger. */
const LARGEST_FLOAT = "3.4028235e+38";

/** Turns JSON into the bytes of a method's messages and back. */
export interface Codec {
  /**
   * The bytes of a request message from its JSON text.
   *
   * @throws {MessageError} when the JSON does not fit the message type
   */
  encode(json: string): Uint8Array;
  /**
   * Fields of `bytes` are views of what is decoded, not copies.
   *
   * @throws {Error} when the bytes are no response message
   */
  decode(bytes: Uint8Array): Decoded;
  /** A response may have such a field. */
  readonly views: boolean;
  /**
   * The JSON of a decoded response.
   *
   * @throws {MessageError} when it has no JSON form
   */
  toJson(message: Decoded): JsonValue;
  /** The details of a status that is not OK; undefined for what are none. */
  statusDetails(text: string): JsonObject | undefined;
}

/** JSON that is no message of its type, or a message without a JSON form. */
export class MessageError extends BenchError {
  override readonly name = "MessageError";
}

/** Compiles the codec of a method; once for each step that calls it. */
export function compileCodec(method: UnaryMethod, library: Library): Codec {
  const { request, response } = method;
  const { protojson } = library;
  const write = compileJsonWriter(response, library);
  const missingIn = compileRequired(request, library);
  const read = (text: string): JsonValue =>
    hasLongInteger(text) || text.includes(LARGEST_FLOAT)
      ? withDigits(request, readJson(text), library)
      : JSON.parse(text);
  // The library leaves out what is in an `Any` without a type.
  const hasAny = typesWithin(request, library).some(({ fullName }) =>
    fullName === ".google.protobuf.Any"
  );
  return {
    encode(json) {
      let message: protobuf.Message;
      try {
        const value = read(json);
        if (hasAny && checkMessage(request, value, library, FINAL).length > 0) {
          throw new Error("a value of the wrong type");
        }
        message = protojson.fromJson(request, value);
      } catch (error) {
        const said = (error as Error).message;
        throw new MessageError(explain(json, said, request, library));
      }
      const missing = missingIn?.(message);
      if (missing !== undefined) {
        throw new MessageError(`the required field \`${missing}\` is missing`);
      }
      return request.encode(message).finish();
    },
    decode: (bytes) => response.decode(bytes) as unknown as Decoded,
    views: typesWithin(response, library).some(({ fieldsArray }) =>
      fieldsArray.some(({ type }) => type === "bytes")
    ),
    statusDetails: statusReader(response.root, library),
    toJson(message) {
      try {
        return write(message);
      } catch (error) {
        const why = (error as Error).message;
        throw new MessageError(`the message has no JSON form: ${why}`);
      }
    },
  };
}

/** No template is left in a message that is sent. */
const FINAL: Templated = () => "none";

/** Why JSON is no message of a type, as a literal in its place is refused before the run. */
function explain(
  json: string,
  said: string,
  type: protobuf.Type,
  library: Library,
): string {
  try {
    const [first] = checkMessage(type, readJson(json), library, FINAL);
    if (first) {
      const { at, message } = first;
      const way = (typeof at === "string" ? at : at.pointer).slice(1);
      return way.includes("/")
        ? `${message} (at ${way.replaceAll("/", ".")})`
        : message;
    }
  } catch {
    // What is no JSON is said by the library.
  }
  return inOurWords(said);
}

/** The library's `.shop.v1.Item.count: not an integer: 1.5`, in our words. */
function inOurWords(said: string): string {
  const match = /^\.?([\w.]+): ([^:]*)(?:: (.*))?$/s.exec(said);
  if (!match) return said;
  const [, field, why, value] = match;
  return `\`${field}\`: ${why}${value === undefined ? "" : `: ${value}`}`;
}
