import type { ByteStream } from "./byte_stream.ts";

/** The operations of the runtime that its connections are made of; not documented. */
interface Operations {
  /** Resolves to 0 when the other side has finished. */
  read(resource: number, into: Uint8Array): Promise<number>;
  write(resource: number, bytes: Uint8Array): Promise<number>;
}

/** The description of the symbol under which a connection has its resource. */
const RESOURCE = "Deno.internal.rid";

/**
 * The same connection with less around it: `Deno.Conn.read` keeps each read in a set,
 * of which every read leaves a table to the collector that has become old. The connection
 * itself where the runtime does not have what that takes.
 *
 * See docs/decisions/096-reads-of-the-runtime.md.
 */
export function direct(connection: Deno.Conn): ByteStream {
  const resource = resourceOf(connection);
  return operations && resource !== undefined
    ? new DirectStream(connection, operations, resource)
    : connection;
}

const operations = operationsOf(
  Deno as unknown as {
    readonly internal?: symbol;
    readonly [key: symbol]: { readonly core?: Partial<Operations> } | undefined;
  },
);

function operationsOf(
  runtime: {
    readonly internal?: symbol;
    readonly [key: symbol]: { readonly core?: Partial<Operations> } | undefined;
  },
): Operations | undefined {
  const { internal } = runtime;
  const core = internal && runtime[internal]?.core;
  return typeof core?.read === "function" && typeof core.write === "function"
    ? core as Operations
    : undefined;
}

function resourceOf(connection: Deno.Conn): number | undefined {
  for (const symbol of Object.getOwnPropertySymbols(connection)) {
    if (symbol.description !== RESOURCE) continue;
    const value: unknown = Reflect.get(connection, symbol);
    return typeof value === "number" ? value : undefined;
  }
  return undefined;
}

class DirectStream implements ByteStream {
  readonly #connection: Deno.Conn;
  readonly #operations: Operations;
  readonly #resource: number;

  constructor(
    connection: Deno.Conn,
    operations: Operations,
    resource: number,
  ) {
    this.#connection = connection;
    this.#operations = operations;
    this.#resource = resource;
  }

  read(into: Uint8Array): Promise<number> {
    return this.#operations.read(this.#resource, into);
  }

  write(bytes: Uint8Array): Promise<number> {
    return this.#operations.write(this.#resource, bytes);
  }

  close(): void {
    this.#connection.close();
  }
}
