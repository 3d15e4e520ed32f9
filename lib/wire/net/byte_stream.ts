/**
 * A connected stream of bytes, as `Deno.Conn` has it: TCP and TLS connections
 * fit without a wrapper.
 */
export interface ByteStream {
  /** Reads at least one byte into `into`; null when the server has finished. */
  read(into: Uint8Array): Promise<number | null>;
  /** Writes some of `bytes`; resolves to how many. */
  write(bytes: Uint8Array): Promise<number>;
  /** Lets go of the socket; reads and writes under way reject. */
  close(): void;
}

/** Closes what may be gone already: it was the other side's to end as well. */
export function closeQuietly(stream: Pick<ByteStream, "close">): void {
  try {
    stream.close();
  } catch {
    // It is closed.
  }
}
