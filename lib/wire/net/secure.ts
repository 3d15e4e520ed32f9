import {
  type ByteStream,
  closeQuietly,
  type Connected,
  type ProxyOptions,
  type TlsOptions,
} from "./byte_stream.ts";
import { CertifiedTls, type TlsServer, type Way } from "./certified_tls.ts";
import { direct } from "./direct_stream.ts";
import type { NodeTls } from "./node_tls.ts";
import { tlsError, WireError } from "./wire_error.ts";

/** Bytes that the head of a proxy's response may have. */
const MOST_HEAD = 16_384;
const END = "\r\n\r\n";

/**
 * Asks a proxy for a tunnel (RFC 9110 section 9.3.6). From then on the stream
 * leads to `authority`.
 *
 * @param authority `host:port`
 * @throws {WireError} `proxy` when it opens none
 */
async function openTunnel(
  stream: ByteStream,
  { host, port, authorization }: ProxyOptions,
  authority: string,
): Promise<void> {
  const lines = [
    `CONNECT ${authority} HTTP/1.1`,
    `Host: ${authority}`,
    ...authorization === undefined
      ? []
      : [`Proxy-Authorization: ${authorization}`],
  ];
  let rest = new TextEncoder().encode(lines.join("\r\n") + END);
  while (rest.length > 0) rest = rest.subarray(await stream.write(rest));
  const head = await finalHead(stream);
  const refuse = (why: string) =>
    new WireError(
      "proxy",
      `No tunnel to \`${authority}\` through proxy \`${host}:${port}\`: ${why}`,
    );
  if (head === undefined) throw refuse("it closed the connection");
  const [first = ""] = head.split("\r\n", 1);
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1];
  if (status === undefined) throw refuse("its response is not HTTP/1.1");
  if (!status.startsWith("2")) throw refuse(`it responded ${first.slice(9)}`);
  // The server sends nothing before this side does.
  if (!head.endsWith(END)) throw refuse("it sent more than its response");
}

/** The head of the response, and what came behind it; interim ones are passed over. */
async function finalHead(stream: ByteStream): Promise<string | undefined> {
  const buffer = new Uint8Array(4_096);
  let head = "";
  let read = 0;
  for (;;) {
    head = head.replace(/^(?:HTTP\/1\.[01] 1\d\d[^]*?\r\n\r\n)+/, "");
    if (head.includes(END) || read >= MOST_HEAD) return head;
    const count = await stream.read(buffer);
    if (!count) return undefined;
    read += count;
    head += String.fromCharCode(...buffer.subarray(0, count));
  }
}

/** Opens sockets, and chooses the TLS that can do what is asked for. */
export class Secure {
  readonly #options: TlsOptions;
  /** Begins TLS as the options ask for, but with a client certificate. */
  readonly #startTls: Promise<typeof Deno.startTls>;
  readonly #certified: CertifiedTls | undefined;
  #node: Promise<NodeTls> | undefined;
  /** See `NodeTls` for what the platform's TLS cannot do. */
  #needsNode = false;

  constructor(options: TlsOptions) {
    this.#options = options;
    const { cert, key, insecure } = options;
    this.#startTls = insecure
      ? loadUnverified()
      : Promise.resolve(Deno.startTls);
    if (cert === undefined || key === undefined) return;
    if (insecure) this.#needsNode = true;
    else this.#certified = new CertifiedTls(options, { cert, key });
  }

  /**
   * Connects; the errors are the platform's.
   *
   * @param tunnel what the address, a proxy, is asked for
   */
  open(way: Way, tunnel?: Tunnel): Promise<Socket> {
    return this.#certified && way.tls && !tunnel && !this.#needsNode
      ? this.#certified.connect(way, way.tls).then((connection) =>
        connection ? this.#socket(way, connection) : this.#open(way)
      )
      : this.#open(way, tunnel);
  }

  close(): void {
    this.#certified?.close();
  }

  #open(way: Way, tunnel?: Tunnel): Promise<Socket> {
    return connect(way, tunnel).then((connection) =>
      this.#socket(way, connection, tunnel)
    );
  }

  #socket(
    way: Way,
    connection: Socket["connection"],
    tunnel?: Tunnel,
  ): Socket {
    const again = () => connect(way, tunnel);
    return new Socket(connection, again, this.#handshake);
  }

  readonly #handshake: Handshake = async (socket, to) => {
    const hasBegun = "handshake" in socket.connection;
    if (!hasBegun && (this.#needsNode || this.#certified)) {
      return await this.#byNode(socket, to);
    }
    try {
      return await this.#byDeno(socket, to);
    } catch (error) {
      if (!this.#isOwnAuthority(error)) throw error;
      // One more handshake for those who dial now; the others go there at once.
      this.#needsNode = true;
      await socket.reconnect();
      return await this.#byNode(socket, to);
    }
  };

  /**
   * A server's certificate that is marked as an authority's, as `openssl req
   * -x509` makes it: refused by the rules of the web, and right when it is one
   * of those that `--cacert` names.
   */
  #isOwnAuthority(error: unknown): boolean {
    return this.#options.caCerts.length > 0 && error instanceof Error &&
      error.message.includes("CaUsedAsEndEntity");
  }

  async #byDeno(socket: Socket, to: TlsServer): Promise<Connected> {
    const { connection } = socket;
    const secured = "handshake" in connection
      ? connection
      : await this.#begin(connection, to);
    socket.stream = secured;
    const { alpnProtocol: protocol } = await secured.handshake();
    const stream = direct(secured);
    return protocol ? { stream, protocol } : { stream };
  }

  async #begin(
    connection: Deno.TcpConn,
    { host, alpn }: TlsServer,
  ): Promise<Deno.TlsConn> {
    const startTls = await this.#startTls;
    return await startTls(connection, {
      hostname: host,
      caCerts: [...this.#options.caCerts],
      ...(alpn.length > 0 ? { alpnProtocols: [...alpn] } : {}),
    });
  }

  async #byNode(
    socket: Socket,
    { host, alpn }: TlsServer,
  ): Promise<Connected> {
    this.#node ??= loadNodeTls(this.#options);
    const stream = direct(socket.connection);
    return await (await this.#node).secure(stream, host, alpn);
  }
}

/** A tunnel, and where it leads. */
interface Tunnel {
  readonly proxy: ProxyOptions;
  readonly authority: string;
}

/** Without TLS so far. */
function connect(
  { address, port, signal }: Way,
  tunnel?: Tunnel,
): Promise<Deno.TcpConn> {
  return Deno.connect({
    hostname: address,
    port,
    signal,
    autoSelectFamily: false,
  }).then((connection) => {
    connection.setNoDelay(true);
    return tunnel ? openOver(connection, tunnel, signal) : connection;
  });
}

/** A connection without a tunnel, or one that comes too late, is closed. */
async function openOver(
  connection: Deno.TcpConn,
  { proxy, authority }: Tunnel,
  signal: AbortSignal,
): Promise<Deno.TcpConn> {
  const close = () => connection.close();
  signal.addEventListener("abort", close);
  try {
    await openTunnel(connection, proxy, authority);
    return connection;
  } catch (error) {
    if (!signal.aborted) close();
    throw error;
  } finally {
    signal.removeEventListener("abort", close);
  }
}

type Handshake = (socket: Socket, to: TlsServer) => Promise<Connected>;

/** A connection that is not used yet. */
export class Socket {
  /** The holder of the socket now: the connection, or TLS over it. */
  stream: Deno.TcpConn | Deno.TlsConn;
  #discarded = false;

  /** @param connect begins anew, without TLS */
  constructor(
    public connection: Deno.TcpConn | Deno.TlsConn,
    readonly connect: () => Promise<Deno.TcpConn>,
    readonly handshake: Handshake,
  ) {
    this.stream = connection;
  }

  /**
   * Runs the TLS handshake.
   *
   * @throws {WireError} `tls`
   */
  async secure(to: TlsServer): Promise<Connected> {
    try {
      return await this.handshake(this, to);
    } catch (error) {
      throw tlsError(error, to.host);
    }
  }

  /** Begins anew: a failed handshake has used up the connection. */
  async reconnect(): Promise<void> {
    this.#close();
    this.connection = this.stream = await this.connect();
    if (this.#discarded) this.#close();
  }

  /** Closes it in any state. */
  discard(): void {
    this.#discarded = true;
    this.#close();
  }

  #close(): void {
    closeQuietly(this.stream);
  }
}

/** Loaded when it is needed: it adds to what all objects have. */
async function loadUnverified(): Promise<typeof Deno.startTls> {
  const { startUnverified } = await import("./unverified.ts");
  return startUnverified;
}

/** Loaded when it is needed: node:tls adds 25 ms to the start of the program. */
async function loadNodeTls(options: TlsOptions): Promise<NodeTls> {
  const { NodeTls } = await import("./node_tls.ts");
  return new NodeTls(options);
}
