/** One accepted connection, for a test that says every byte itself. */
export interface RawConnection {
  /**
   * The next request's bytes as latin1: the head, and a body as long as its
   * Content-Length says. Undefined when the client closed.
   */
  request(): Promise<string | undefined>;
  /** Writes all of it; a string is one byte a character. */
  send(data: string | Uint8Array): Promise<void>;
  close(): void;
  readonly conn: Deno.Conn;
}

/** A server on a free loopback port. */
export interface RawServer extends AsyncDisposable {
  readonly port: number;
  /** `http://127.0.0.1:<port>`, or `https` with TLS. */
  readonly url: string;
  /** Connections accepted so far. */
  readonly accepted: number;
  /** Closes the listener and every connection, and waits for the handlers. */
  close(): Promise<void>;
}

/**
 * Serves each connection with `handle`; the connection is closed when it
 * returns. A handler's error is a broken connection, not a failed test.
 */
export function rawServer(
  handle: (connection: RawConnection, index: number) => Promise<void>,
  options: { tls?: { cert: string; key: string }; hostname?: string } = {},
): RawServer {
  const hostname = options.hostname ?? "127.0.0.1";
  const listener = options.tls
    ? Deno.listenTls({ hostname, port: 0, ...options.tls })
    : Deno.listen({ hostname, port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  const open = new Set<RawConnection>();
  const running: Promise<void>[] = [];
  let accepted = 0;
  const accepting = (async () => {
    for (;;) {
      let conn: Deno.Conn;
      try {
        conn = await listener.accept();
      } catch (error) {
        if (error instanceof Deno.errors.BadResource) return;
        if (error instanceof Deno.errors.Interrupted) return;
        continue;
      }
      const connection = rawConnection(conn);
      open.add(connection);
      running.push(
        handle(connection, accepted++).catch(() => {}).finally(() => {
          connection.close();
          open.delete(connection);
        }),
      );
    }
  })();
  const close = async () => {
    listener.close();
    await accepting;
    for (const connection of open) connection.close();
    await Promise.all(running);
  };
  return {
    port,
    url: `${options.tls ? "https" : "http"}://127.0.0.1:${port}`,
    get accepted() {
      return accepted;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function rawConnection(conn: Deno.Conn): RawConnection {
  if ("setNoDelay" in conn) (conn as Deno.TcpConn).setNoDelay(true);
  let held = "";
  let closed = false;
  const buffer = new Uint8Array(16 * 1024);
  return {
    conn,
    async request() {
      for (;;) {
        const length = requestLength(held);
        if (length !== undefined && held.length >= length) {
          const request = held.slice(0, length);
          held = held.slice(length);
          return request;
        }
        const count = await conn.read(buffer);
        if (count === null) return undefined;
        for (const byte of buffer.subarray(0, count)) {
          held += String.fromCharCode(byte);
        }
      }
    },
    async send(data) {
      let rest = typeof data === "string" ? oneByteEach(data) : data;
      while (rest.length > 0) {
        rest = rest.subarray(await conn.write(rest));
      }
    },
    close() {
      if (closed) return;
      closed = true;
      try {
        conn.close();
      } catch {
        // The handshake failed and took the socket along.
      }
    },
  };
}

/** Bytes of the request that begins `text`, when its head is whole. */
function requestLength(text: string): number | undefined {
  const head = text.indexOf("\r\n\r\n");
  if (head < 0) return undefined;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, head + 2));
  return head + 4 + Number(length?.[1] ?? 0);
}

/** The bytes of a text that stands for bytes: one a character, below 256. */
export function oneByteEach(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (each) => each.charCodeAt(0));
}
