import { Buffer } from "node:buffer";

/** What `deno compile` puts into an executable. */
export interface CompiledPayload {
  /** As the runtime base reads it. */
  readonly metadata: {
    readonly permissions: Readonly<Record<string, unknown>>;
    readonly v8_flags: readonly string[];
    readonly entrypoint_key: string;
    readonly node_modules: unknown;
    readonly [key: string]: unknown;
  };
  /** Contents of the embedded files, by path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

type Entry =
  | {
    readonly File: {
      readonly n: string;
      readonly o: readonly [number, number];
    };
  }
  | { readonly Dir: { readonly n: string; readonly e: readonly Entry[] } };

const MAGIC = "d3n0l4nd";

/**
 * Reads the payload of an executable, as Deno 2.9 lays it out: the magic word, a
 * length and the metadata; further on a length and the tree of files; then a
 * length and their contents. Lengths are 64 bits, the low byte first.
 *
 * @throws {Error} when there is none
 */
export function payloadOf(executable: Uint8Array): CompiledPayload {
  const bytes = Buffer.from(executable.buffer);
  const metadata = metadataOf(bytes);
  const tree = sized(bytes, bytes.indexOf('[{"', metadata.end) - 8);
  const contents = sized(bytes, tree.end);
  const files = new Map<string, Uint8Array>();
  for (const [path, [start, length]] of walk(JSON.parse(`${tree.data}`), "")) {
    files.set(path, contents.data.subarray(start, start + length));
  }
  return { metadata: JSON.parse(`${metadata.data}`), files };
}

/** The base's own code has the magic word too, with other things after it. */
function metadataOf(bytes: Buffer) {
  for (let at = -1; (at = bytes.indexOf(MAGIC, at + 1)) !== -1;) {
    const start = at + MAGIC.length;
    if (bytes.toString("latin1", start + 8, start + 16) === '{"argv":') {
      return sized(bytes, start);
    }
  }
  throw new Error("there is no compiled program in it");
}

function sized(bytes: Buffer, at: number) {
  const end = at + 8 + Number(bytes.readBigUInt64LE(at));
  return { data: bytes.subarray(at + 8, end), end };
}

function* walk(
  entries: readonly Entry[],
  folder: string,
): Generator<[string, readonly [number, number]]> {
  for (const entry of entries) {
    if ("Dir" in entry) {
      yield* walk(entry.Dir.e, `${folder}${entry.Dir.n}/`);
    } else yield [folder + entry.File.n, entry.File.o];
  }
}
