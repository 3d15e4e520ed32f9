import type protobuf from "protobufjs";
import type { Library } from "./library.ts";

/** A schema file that comes with the library. */
interface BundledFile {
  readonly nested: Readonly<Record<string, protobuf.AnyNestedObject>>;
  /** Bundled files it needs; the library's JSON does not say. */
  readonly imports: readonly string[];
}

interface Source {
  load(): Promise<{ readonly default: unknown }>;
  /** What the file itself declares, where the library's JSON repeats its imports. */
  readonly only?: readonly string[];
  readonly imports?: readonly string[];
}

const DESCRIPTOR = "google/protobuf/descriptor.proto";
const TYPE = "google/protobuf/type.proto";
const SOURCE_CONTEXT = "google/protobuf/source_context.proto";

/** Loaded when a schema imports them. */
const SOURCES: Readonly<Record<string, Source>> = {
  [DESCRIPTOR]: {
    load: () =>
      import("protobufjs/google/protobuf/descriptor.json", {
        with: { type: "json" },
      }),
  },
  [SOURCE_CONTEXT]: {
    load: () =>
      import("protobufjs/google/protobuf/source_context.json", {
        with: { type: "json" },
      }),
  },
  [TYPE]: {
    load: () =>
      import("protobufjs/google/protobuf/type.json", {
        with: { type: "json" },
      }),
    only: ["Type", "Field", "Enum", "EnumValue", "Option", "Syntax"],
    imports: ["google/protobuf/any.proto", SOURCE_CONTEXT],
  },
  "google/protobuf/api.proto": {
    load: () =>
      import("protobufjs/google/protobuf/api.json", { with: { type: "json" } }),
    only: ["Api", "Method", "Mixin"],
    imports: [SOURCE_CONTEXT, TYPE],
  },
  "google/api/http.proto": {
    load: () =>
      import("protobufjs/google/api/http.json", { with: { type: "json" } }),
    imports: [DESCRIPTOR],
  },
};

/** JSON form of a schema file that comes with the library; undefined for others. */
export async function bundledFile(
  library: Library,
  name: string,
): Promise<BundledFile | undefined> {
  const common = library.protobuf.common as unknown as Record<
    string,
    protobuf.INamespace
  >;
  if (Object.hasOwn(common, name)) {
    return { nested: common[name]!.nested ?? {}, imports: [] };
  }
  if (name === "google/api/annotations.proto") return ANNOTATIONS;
  const source = Object.hasOwn(SOURCES, name) ? SOURCES[name] : undefined;
  if (!source) return undefined;
  const json = (await source.load()).default as protobuf.INamespace;
  const { only, imports = [] } = source;
  const nested = json.nested ?? {};
  return { nested: only ? ownOf(nested, only) : nested, imports };
}

/** Those of `google.protobuf` that are named. */
function ownOf(
  { google }: BundledFile["nested"],
  names: readonly string[],
): BundledFile["nested"] {
  const all = nestedIn(nestedIn({ google: google! }, "google"), "protobuf");
  const nested = Object.fromEntries(
    Object.entries(all).filter(([name]) => names.includes(name)),
  );
  return { google: { nested: { protobuf: { nested } } } };
}

function nestedIn(
  space: BundledFile["nested"],
  name: string,
): BundledFile["nested"] {
  return (space[name] as protobuf.INamespace).nested ?? {};
}

/** The library's own JSON of this file repeats half of `http.proto`. */
const ANNOTATIONS: BundledFile = {
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
  imports: ["google/api/http.proto"],
};
