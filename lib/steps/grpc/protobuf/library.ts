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

/** JSON form of a schema file that comes with the library; undefined for others. */
export async function bundledFile(
  library: Library,
  name: string,
): Promise<protobuf.INamespace | undefined> {
  const common = library.protobuf.common as unknown as Record<
    string,
    protobuf.INamespace
  >;
  if (Object.hasOwn(common, name)) return common[name];
  switch (name) {
    case "google/protobuf/descriptor.proto":
      return await json(
        import("protobufjs/google/protobuf/descriptor.json", {
          with: { type: "json" },
        }),
      );
    case "google/api/annotations.proto":
      return ANNOTATIONS;
    case "google/api/http.proto":
      return await json(
        import("protobufjs/google/api/http.json", { with: { type: "json" } }),
      );
    default:
      return undefined;
  }
}

/** The library's own JSON of this file repeats half of `http.proto`. */
const ANNOTATIONS: protobuf.INamespace = {
  nested: {
    google: {
      nested: {
        api: {
          nested: {
            http: {
              type: "HttpRule",
              id: 72295728,
              extend: "google.protobuf.MethodOptions",
            },
          },
        },
      },
    },
  },
};

async function json(
  module: Promise<{ default: unknown }>,
): Promise<protobuf.INamespace> {
  return (await module).default as protobuf.INamespace;
}
