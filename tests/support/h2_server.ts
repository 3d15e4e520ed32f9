import { ByteWriter } from "../../lib/wire/http2/frames/byte_writer.ts";
import { FRAME_HEAD } from "../../lib/wire/http2/frames/frame_reader.ts";
import {
  type HeaderField,
  HpackDecoder,
} from "../../lib/wire/http2/hpack/decoder.ts";
import { HpackEncoder } from "../../lib/wire/http2/hpack/encoder.ts";
import { type RawConnection, rawServer } from "./raw_server.ts";

export { FLAG, FRAME } from "../../lib/wire/http2/frames/frame_reader.ts";

const PREFACE_BYTES = 24;

/** A frame as the client sent it. */
export interface SeenFrame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Uint8Array;
}

/** The server side of one HTTP/2 connection, frame by frame. */
export interface H2Connection {
  /** The next frame of the client; undefined when it closed. */
  frame(): Promise<SeenFrame | undefined>;
  /** Reads frames up to one of that type. */
  until(type: number): Promise<SeenFrame>;
  /** Reads frames up to the end of a request and returns its fields. */
  request(): Promise<readonly HeaderField[]>;
  frameOf(
    type: number,
    flags: number,
    stream: number,
    payload?: Uint8Array | readonly number[],
  ): Promise<void>;
  /** A header block in one frame. */
  headers(
    stream: number,
    fields: readonly HeaderField[],
    flags?: number,
  ): Promise<void>;
  /** A header block's bytes. */
  block(fields: readonly HeaderField[]): Uint8Array;
  send(bytes: Uint8Array): Promise<void>;
}

/** Serves each connection with `handle`, after an empty SETTINGS unless `silent`. */
export function h2Server(
  handle: (connection: H2Connection, index: number) => Promise<void>,
  options: { silent?: boolean; tls?: { cert: string; key: string } } = {},
): ReturnType<typeof rawServer> {
  return rawServer(async (connection, index) => {
    const h2 = await h2Connection(connection);
    if (!options.silent) await h2.frameOf(4, 0, 0);
    await handle(h2, index);
    // What was sent last must not be lost to a reset: the client closes first.
    while (await h2.frame());
  }, options.tls ? { tls: options.tls } : {});
}

async function h2Connection(connection: RawConnection): Promise<H2Connection> {
  const read = byteReader(connection.conn);
  await read(PREFACE_BYTES);
  const decoder = new HpackDecoder<never>(4_096, 1 << 20);
  const encoder = new HpackEncoder();
  const frame = async (): Promise<SeenFrame | undefined> => {
    const head = await read(FRAME_HEAD);
    if (!head) return undefined;
    const view = new DataView(head.buffer);
    const length = view.getUint16(0) * 256 + head[2]!;
    const payload = await read(length);
    return payload && {
      type: head[3]!,
      flags: head[4]!,
      stream: view.getUint32(5),
      payload,
    };
  };
  const until = async (type: number) => {
    for (;;) {
      const next = await frame();
      if (!next) throw new Error("the client closed");
      if (next.type === type) return next;
    }
  };
  const block = (fields: readonly HeaderField[]) => {
    const out = new ByteWriter();
    encoder.encode(
      fields.map(([name, value]) => ({ name, value, literal: "once" })),
      out,
    );
    return out.written.slice();
  };
  const frameOf: H2Connection["frameOf"] = (
    type,
    flags,
    stream,
    payload = [],
  ) => {
    const out = new Uint8Array(FRAME_HEAD + payload.length);
    const view = new DataView(out.buffer);
    view.setUint32(0, payload.length * 256 + type);
    out[4] = flags;
    view.setUint32(5, stream);
    out.set(payload, FRAME_HEAD);
    return connection.send(out);
  };
  return {
    frame,
    until,
    block,
    frameOf,
    send: (bytes) => connection.send(bytes),
    async request() {
      const head = await until(1);
      const { fields } = decoder.decode(head.payload, 0, head.payload.length);
      if (!(head.flags & 1)) { while (!((await until(0)).flags & 1)); }
      return fields;
    },
    headers: (stream, fields, flags = 5) =>
      frameOf(1, flags, stream, block(fields)),
  };
}

/** Reads exactly so many bytes; undefined when the client closed. */
function byteReader(connection: Deno.Conn) {
  let held = new Uint8Array(0);
  const buffer = new Uint8Array(64 * 1024);
  return async (count: number): Promise<Uint8Array | undefined> => {
    while (held.length < count) {
      const got = await connection.read(buffer);
      if (got === null) return undefined;
      const joined = new Uint8Array(held.length + got);
      joined.set(held);
      joined.set(buffer.subarray(0, got), held.length);
      held = joined;
    }
    const taken = held.slice(0, count);
    held = held.slice(count);
    return taken;
  };
}
