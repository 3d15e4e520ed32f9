import { ifPossible } from "../../base/values/if_possible.ts";
import { isLoopback } from "../../base/values/loopback.ts";
import { listeningInodes } from "./proc_text.ts";

/** Open files examined before the search ends: about 0.1 s. */
const MOST_FILES = 20_000;

/** Where a target is reached. */
interface TargetAddress {
  /** IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/** The processes that listen on those of the addresses that are this machine's own, by id. */
export function listeningProcesses(
  addresses: readonly TargetAddress[],
): string[] {
  const ports = addresses.filter(({ host }) => isLoopback(host))
    .map(({ port }) => port);
  return listenersOn(new Set(ports));
}

/**
 * Processes of this machine that listen on one of the ports, this one left out;
 * none where the system does not report it, or they are another user's.
 */
function listenersOn(
  ports: ReadonlySet<number>,
): string[] {
  if (ports.size === 0) return [];
  const sockets = new Set(
    ["net/tcp", "net/tcp6"].flatMap((file) =>
      listeningInodes(
        ifPossible(() => Deno.readTextFileSync(`/proc/${file}`), ""),
        ports,
      )
    ).map((inode) => `socket:[${inode}]`),
  );
  if (sockets.size === 0) return [];
  const found: string[] = [];
  let looked = 0;
  for (const pid of namesIn("/proc")) {
    if (!/^\d+$/.test(pid) || pid === String(Deno.pid)) continue;
    const held = namesIn(`/proc/${pid}/fd`).some((fd) =>
      looked++ < MOST_FILES &&
      sockets.has(
        ifPossible(() => Deno.readLinkSync(`/proc/${pid}/fd/${fd}`), ""),
      )
    );
    if (held) found.push(pid);
    if (looked >= MOST_FILES) break;
  }
  return found;
}

function namesIn(folder: string): string[] {
  return ifPossible(() => [...Deno.readDirSync(folder)], [])
    .map(({ name }) => name);
}
