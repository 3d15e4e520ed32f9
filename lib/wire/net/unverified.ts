/**
 * The option of the runtime's own `startTls` that `Deno.startTls` has no name for. It is
 * looked up in an object made for the call, which without it asks its prototype.
 */
const PROPERTY = "rejectUnauthorized";

/** False while `startUnverified` runs: the value of that property of all objects. */
let verifies: false | undefined;

// Defined once: a property that comes and goes would throw away the code of all that
// looks for one: over 200 us of CPU a connection.
Object.defineProperty(Object.prototype, PROPERTY, {
  get: () => verifies,
  set(this: object, value: unknown) {
    const own = { value, writable: true, enumerable: true, configurable: true };
    Object.defineProperty(this, PROPERTY, own);
  },
});

/**
 * `Deno.startTls` that takes any certificate. The runtime reads the option before the
 * call returns, so that no other code can come across it.
 *
 * See docs/decisions/117-no-verification-by-the-platform.md.
 */
export function startUnverified(
  connection: Deno.TcpConn,
  options?: Deno.StartTlsOptions,
): Promise<Deno.TlsConn> {
  verifies = false;
  try {
    return Deno.startTls(connection, options);
  } finally {
    verifies = undefined;
  }
}
