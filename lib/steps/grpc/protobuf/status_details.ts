import type protobuf from "protobufjs";
import type { JsonObject, JsonValue } from "../../../base/values/json.ts";
import { compileJsonWriter, type Decoded } from "./json_writer.ts";
import type { Library } from "./library.ts";

/** google/rpc/status.proto and google/rpc/error_details.proto, as far as they are sent. */
const SCHEMA = `syntax = "proto3";
package google.rpc;
message Status { int32 code = 1; string message = 2; repeated Detail details = 3; }
message Detail { string type_url = 1; bytes value = 2; }
message ErrorInfo { string reason = 1; string domain = 2; map<string, string> metadata = 3; }
message RetryInfo { google.protobuf.Duration retry_delay = 1; }
message DebugInfo { repeated string stack_entries = 1; string detail = 2; }
message QuotaFailure {
  message Violation { string subject = 1; string description = 2; }
  repeated Violation violations = 1;
}
message PreconditionFailure {
  message Violation { string type = 1; string subject = 2; string description = 3; }
  repeated Violation violations = 1;
}
message BadRequest {
  message FieldViolation { string field = 1; string description = 2; }
  repeated FieldViolation field_violations = 1;
}
message RequestInfo { string request_id = 1; string serving_data = 2; }
message ResourceInfo {
  string resource_type = 1; string resource_name = 2; string owner = 3; string description = 4;
}
message Help {
  message Link { string description = 1; string url = 2; }
  repeated Link links = 1;
}
message LocalizedMessage { string locale = 1; string message = 2; }
`;

/** Reads `grpc-status-details-bin` as JSON; undefined for what is no google.rpc.Status. */
type StatusReader = (text: string) => JsonObject | undefined;

/**
 * Makes the reader of the details of a status.
 *
 * @param own the schema of the step: a service may send details of types of its own
 */
export function statusReader(
  own: protobuf.Root,
  library: Library,
): StatusReader {
  const { protobuf } = library;
  let known: protobuf.Root | undefined;
  const schema = () => {
    if (known) return known;
    known = new protobuf.Root();
    const duration = protobuf.common.get("google/protobuf/duration.proto");
    known.addJSON(duration!.nested!);
    protobuf.parse(SCHEMA, known);
    return known.resolveAll();
  };
  const detail = ({ typeUrl = "", value }: SentDetail): JsonObject => {
    const name = typeUrl.slice(typeUrl.lastIndexOf("/") + 1);
    const found = [schema(), own].flatMap((root) =>
      root.lookup(name, [protobuf.Type]) ?? []
    );
    const bytes = value ?? new Uint8Array(0);
    try {
      const type = found[0] as protobuf.Type;
      const decoded = type.decode(bytes) as unknown as Decoded;
      const json = compileJsonWriter(type, library)(decoded);
      return { "@type": typeUrl, ...json as JsonObject };
    } catch {
      return { "@type": typeUrl, value: Uint8Array.from(bytes).toBase64() };
    }
  };
  return (text) => {
    try {
      // Padding may be left out (gRPC over HTTP/2, "Binary-Header").
      const bytes = Uint8Array.fromBase64(text);
      const { code = 0, message = "", details = [] } = schema()
        .lookupType("google.rpc.Status").decode(bytes) as unknown as SentStatus;
      return { code, message, details: details.map(detail) as JsonValue[] };
    } catch {
      return undefined;
    }
  };
}

interface SentStatus {
  readonly code?: number;
  readonly message?: string;
  readonly details?: readonly SentDetail[];
}

interface SentDetail {
  readonly typeUrl?: string;
  readonly value?: Uint8Array;
}
