import type protobuf from "protobufjs";

/** The part of `protobufjs/ext/protojson.js` that is used. */
interface ProtoJson {
  /** @throws {Error} naming the field that does not fit */
  fromJson(type: protobuf.Type, json: unknown): protobuf.Message;
  toJson(type: protobuf.Type, message: object): unknown;
}

/** The library that knows protobuf. */
export interface Library {
  readonly protobuf: typeof protobuf;
  readonly protojson: ProtoJson;
}

/** Loads the library when a flow first needs it: loading takes some 40 ms. */
export async function loadLibrary(): Promise<Library> {
  const [{ default: library }, { default: protojson }] = await Promise.all([
    import("protobufjs"),
    import("protobufjs/ext/protojson.js"),
  ]);
  return { protobuf: library, protojson: protojson as unknown as ProtoJson };
}
