/** Whether a host, IPv6 without brackets, is this machine and no other reaches it. */
export function isLoopback(host: string): boolean {
  return /^(?:(?:.*\.)?localhost|127(?:\.\d{1,3}){3}|::1)$/.test(host);
}

/** `Host` values, with their port. */
export type Hosts = Pick<ReadonlySet<string>, "has">;

/** An address, or a name without a dot, such as no site in the internet has. */
const NEAR = /^(?:\[[\da-f:.]+\]|\d{1,3}(?:\.\d{1,3}){3}|[^.:[\]]+)(?::\d+)?$/;

/**
 * The `Host` values that mean a server on this machine. Any page in a browser can
 * send requests to a server on loopback, and a name of its own choosing can be made
 * to point there. A server that other machines reach has addresses, names and ports
 * for them that are not known here.
 */
export function ownHosts(hostname: string, port: number): Hosts {
  const bare = hostname.toLowerCase();
  const names = ["localhost", "127.0.0.1", "[::1]"];
  names.push(bare.includes(":") ? `[${bare}]` : bare);
  const own = new Set(
    names.flatMap((name) =>
      port === 80 ? [name, `${name}:${port}`] : [`${name}:${port}`]
    ),
  );
  return isLoopback(bare)
    ? own
    : { has: (host) => own.has(host) || NEAR.test(host) };
}
