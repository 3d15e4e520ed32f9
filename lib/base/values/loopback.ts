/** Whether a host, IPv6 without brackets, is this machine and no other reaches it. */
export function isLoopback(host: string): boolean {
  return /^(?:(?:.*\.)?localhost|127(?:\.\d{1,3}){3}|::1)$/.test(host);
}

/**
 * The `Host` values that mean a server on this machine. Any page in a browser can
 * send requests to a server on loopback, and a name of its own choosing can be made
 * to point there.
 */
export function ownHosts(hostname: string, port: number): ReadonlySet<string> {
  const bare = hostname.toLowerCase();
  const names = ["localhost", "127.0.0.1", "[::1]"];
  names.push(bare.includes(":") ? `[${bare}]` : bare);
  return new Set(
    names.flatMap((name) =>
      port === 80 ? [name, `${name}:${port}`] : [`${name}:${port}`]
    ),
  );
}
