import { NoDelay } from "../../base/process/no_delay.ts";
import type { TlsOptions } from "./byte_stream.ts";

/** A client certificate, PEM. */
type Certificate = Required<Pick<TlsOptions, "cert" | "key">>;

/** Whom a handshake is made with. */
export interface TlsServer {
  /** Whose certificate it has to show. */
  readonly host: string;
  /** Protocols to offer; nothing is offered when empty. */
  readonly alpn: readonly string[];
}

/** Where a connection leads to. */
export interface Way {
  readonly address: string;
  readonly port: number;
  /** Aborts when nothing waits for the connection any more. */
  readonly signal: AbortSignal;
  /** Undefined without TLS. */
  readonly tls: TlsServer | undefined;
}

/** The name of the server, where it is not the address: an option without a public name. */
const SERVER_NAME = Symbol.for("unstableServerName");

/**
 * Connections of the platform's TLS that show a client certificate. Such a one is begun
 * with the connection by `Deno.connectTls`; `Deno.startTls` takes no certificate.
 *
 * See docs/decisions/119-client-certificates-by-the-platform.md.
 */
export class CertifiedTls {
  readonly #caCerts: string[];
  readonly #certificate: Certificate;
  #noDelay = NoDelay.open();
  /** Connections under way that nothing waits for: they cannot be ended. */
  #givenUp = 0;

  constructor({ caCerts }: TlsOptions, certificate: Certificate) {
    this.#caCerts = [...caCerts];
    this.#certificate = certificate;
  }

  /**
   * Connects to an address; the handshake is still to be made. Undefined when it has to be
   * done another way: where `TCP_NODELAY` cannot be set, and while a server leaves
   * connections waiting.
   *
   * @throws the platform's errors
   */
  async connect(
    { address, port, signal }: Way,
    { host, alpn }: TlsServer,
  ): Promise<Deno.TlsConn | undefined> {
    if (!this.#noDelay || this.#givenUp > 0) return undefined;
    const giveUp = () => this.#givenUp++;
    signal.addEventListener("abort", giveUp);
    try {
      const next = this.#noDelay.next();
      const connection = await Deno.connectTls({
        hostname: address,
        port,
        caCerts: this.#caCerts,
        ...this.#certificate,
        ...(alpn.length > 0 ? { alpnProtocols: [...alpn] } : {}),
        ...{ [SERVER_NAME]: host },
      });
      const ports = { local: connection.localAddr.port, remote: port };
      if (signal.aborted || this.#noDelay?.set(next, ports)) return connection;
      connection.close();
    } finally {
      if (signal.aborted) this.#givenUp--;
      else signal.removeEventListener("abort", giveUp);
    }
    this.close();
    return undefined;
  }

  /** From now on `connect` resolves to undefined. */
  close(): void {
    this.#noDelay?.[Symbol.dispose]();
    this.#noDelay = undefined;
  }
}
