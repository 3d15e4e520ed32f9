import type protobuf from "protobufjs";
import type { Library } from "./library.ts";

type Nested = Readonly<Record<string, protobuf.AnyNestedObject>>;

/** A schema file that comes with the library. */
interface BundledFile {
  /** Bundled files that come first; the library's JSON does not say. */
  readonly imports: readonly string[];
  /** Adds what it declares, once its imports are there. */
  addTo(root: protobuf.Root): void;
}

interface Source {
  load(): Promise<{ readonly default: unknown }>;
  readonly imports?: readonly string[];
}

const DESCRIPTOR = "google/protobuf/descriptor.proto";
const TYPE = "google/protobuf/type.proto";
const HTTP = "google/api/http.proto";

/** Loaded when a schema imports them. */
const SOURCES: Readonly<Record<string, Source>> = {
  [DESCRIPTOR]: {
    load: () =>
      import("protobufjs/google/protobuf/descriptor.json", {
        with: { type: "json" },
      }),
  },
  "google/protobuf/source_context.proto": {
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
  },
  "google/protobuf/api.proto": {
    load: () =>
      import("protobufjs/google/protobuf/api.json", { with: { type: "json" } }),
    imports: [TYPE],
  },
  [HTTP]: {
    load: () =>
      import("protobufjs/google/api/http.json", { with: { type: "json" } }),
  },
  "google/api/annotations.proto": {
    load: () =>
      import("protobufjs/google/api/annotations.json", {
        with: { type: "json" },
      }),
    imports: [HTTP, DESCRIPTOR],
  },
};

/** A schema file that comes with the library; undefined for others. */
export async function bundledFile(
  { protobuf: { common, Namespace } }: Library,
  name: string,
): Promise<BundledFile | undefined> {
  const source = Object.hasOwn(SOURCES, name) ? SOURCES[name] : undefined;
  const json = source
    ? (await source.load()).default as protobuf.INamespace
    : Object.hasOwn(common, name)
    ? common.get(name)
    : undefined;
  if (!json) return undefined;
  // The library's JSON of a file repeats some of what its imports declare.
  const addMissing = (to: protobuf.NamespaceBase, nested: Nested) => {
    for (const [name, each] of Object.entries(nested)) {
      const known = to.get(name);
      if (!known) to.addJSON({ [name]: each });
      else if (known instanceof Namespace && !("fields" in each)) {
        addMissing(known, (each as protobuf.INamespace).nested ?? {});
      }
    }
  };
  return {
    imports: source?.imports ?? [],
    addTo: (root) => addMissing(root, json.nested ?? {}),
  };
}
