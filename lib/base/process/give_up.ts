/** Everything Deno lets a program do, by the names of its permissions. */
export const PERMISSIONS = [
  "read",
  "write",
  "net",
  "env",
  "sys",
  "run",
  "ffi",
  "import",
] as const;

type Permission = typeof PERMISSIONS[number];

/**
 * Gives up every permission but these, for this process and for good. Files and
 * sockets that are open stay usable; those below /proc, /dev and /sys can be
 * opened by path no longer, since Deno requires every permission for them.
 * docs/decisions/020-permissions-of-the-binaries.md
 */
export function giveUpAllBut(kept: readonly Permission[] = []): void {
  for (const name of PERMISSIONS) {
    if (!kept.includes(name)) Deno.permissions.revokeSync({ name });
  }
}
