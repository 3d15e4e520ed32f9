import { BenchError, EXIT } from "../../lib/base/errors/bench_error.ts";
import { osReason } from "../../lib/base/text/os_reason.ts";
import { systemClock } from "../../lib/base/time/clock.ts";
import { isLoopback } from "../../lib/base/values/loopback.ts";
import type { PreparedRun } from "../../lib/compile.ts";
import type { ArrivalPattern } from "../../lib/engine/plan/plan.ts";
import type { HttpChoice } from "../../lib/model/result/response.ts";
import type { RunMeta, StopSignal } from "../../lib/model/result/run.ts";
import { exitCode } from "../../lib/results/report/exit_code.ts";
import { plural } from "../../lib/results/report/figures.ts";
import {
  checkShard,
  joinRun,
  leadRun,
  type RunPart,
  type Shard,
  type ShardIdentity,
  ShardRefused,
} from "../../lib/shards.ts";
import type { ByteStream } from "../../lib/wire/net/byte_stream.ts";
import { hostPort } from "../../lib/wire/net/host.ts";
import { Secure } from "../../lib/wire/net/secure.ts";
import { systemEnvironment } from "../inputs/environment.ts";
import { readPem } from "../options/connection.ts";
import type { Console } from "../terminal/console.ts";
import type { Address, ShardFlags } from "./shard_options.ts";

/** PEM of the lead's own certificate. */
interface LeadCertificate {
  readonly cert: string;
  readonly key: string;
}

/**
 * Listens for shards: on the address itself where only this machine reaches it,
 * else on every address, since the name may be a service's.
 *
 * @throws {BenchError} when something else listens there
 */
function listenForShards(
  address: Address,
  certificate: LeadCertificate | undefined,
): Deno.Listener {
  const { port } = address;
  const open = (hostname: string) =>
    certificate
      ? Deno.listenTls({ hostname, port, ...certificate })
      : Deno.listen({ hostname, port });
  try {
    if (isLoopback(address.hostname)) return open(address.hostname);
    try {
      return open("::");
    } catch (error) {
      // Without IPv6 there is no such address.
      if (error instanceof Deno.errors.AddrInUse) throw error;
      return open("0.0.0.0");
    }
  } catch (error) {
    const reason = error instanceof Deno.errors.AddrInUse
      ? "something else listens there"
      : osReason(error);
    throw new BenchError(
      `cannot listen on ${hostPort(address.hostname, port)}: ${reason}`,
      { exitCode: EXIT.refused, hint: "choose another port with --lead" },
    );
  }
}

/** Connects to the lead. @param ca PEM of who signed its certificate */
async function connectToLead(
  { hostname, port }: Address,
  ca: string | undefined,
): Promise<ByteStream> {
  const tls = new Secure({
    caCerts: ca === undefined ? [] : [ca],
    insecure: false,
  });
  const to = ca === undefined ? undefined : { host: hostname, alpn: [] };
  const { signal } = new AbortController();
  const socket = await tls.open({ address: hostname, port, signal, tls: to });
  return to ? (await socket.secure(to)).stream : socket.connection;
}

/** A run that is one of several processes. */
interface ShardedRun {
  readonly part: RunPart;
  readonly notes: readonly string[];
  /** Absent for the lead, which has the results. */
  readonly joined?: {
    readonly name: string;
    /** The lead was lost: this process has the only record of its share. */
    readonly orphaned: () => boolean;
  };
}

/** Characters that a token must have: who records a link may try short ones. */
const SHORTEST_TOKEN = 16;

/**
 * Makes this process the shard that `--shard` names.
 *
 * @throws {ShardRefused} when it cannot
 */
export async function takeShard(
  prepared: PreparedRun,
  flags: ShardFlags & {
    readonly seed: number;
    readonly http: HttpChoice;
    readonly arrivals?: ArrivalPattern;
  },
  console: Console,
): Promise<ShardedRun | undefined> {
  const { shard, lead, joinTimeout, seed, http } = flags;
  const joinTimeoutMs = joinTimeout / 1_000;
  if (!shard) return undefined;
  checkShard(prepared, shard);
  if (!lead) {
    throw new ShardRefused(
      "--shard needs --lead <host:port>: where shard 0 listens and the others join",
    );
  }
  const say = (text: string) => console.err(`${text}\n`);
  const { arrivals = "constant" } = flags;
  const token = readToken();
  const common = { shard, token, joinTimeoutMs, seed, http, arrivals };
  if (shard.index > 0) return await follow(prepared, lead, flags, common, say);
  const certificate = readCertificate(flags);
  const open = certificate || isLoopback(lead.hostname) ? [] : [WITHOUT_TLS];
  if (open.length > 0 && !flags.leadWithoutTls) throw refuseOpen(lead);
  const listener = listenForShards(lead, certificate);
  for (const note of open) say(`warning: ${note}`);
  say(
    `shard ${shardName(shard)} leads at ${hostPort(lead.hostname, lead.port)}`,
  );
  return {
    part: {
      ...leadRun(prepared, listener, { ...common, say }),
      tolerateLost: flags.tolerateLost,
    },
    notes: open,
  };
}

function refuseOpen(lead: Address): ShardRefused {
  return new ShardRefused(
    `the lead would listen at ${
      hostPort(lead.hostname, lead.port)
    } without TLS, where other machines reach it`,
    "give it --lead-cert and --lead-key, and the others --lead-cacert; or --lead-without-tls in a network that you trust",
  );
}

const WITHOUT_TLS =
  "the link between shards is not TLS: it is sealed with BENCH_SHARD_TOKEN alone (--lead-cert, --lead-key and --lead-cacert)";

async function follow(
  prepared: PreparedRun,
  lead: Address,
  { leadCacert }: ShardFlags,
  common: ShardIdentity,
  say: (text: string) => void,
): Promise<ShardedRun> {
  const ca = leadCacert === undefined
    ? undefined
    : readPem("--lead-cacert", leadCacert, "CERTIFICATE");
  const name = shardName(common.shard);
  const at = hostPort(lead.hostname, lead.port);
  const { orphaned, ...part } = await joinRun(prepared, {
    ...common,
    lead: at,
    connect: () => connectToLead(lead, ca),
    clock: systemClock,
    signal: new AbortController().signal,
  });
  say(`shard ${name} joined the lead at ${at}`);
  return { part, notes: [], joined: { name, orphaned } };
}

function readToken(): string {
  const token = systemEnvironment.env("BENCH_SHARD_TOKEN") ?? "";
  if (token.length >= SHORTEST_TOKEN) return token;
  throw new ShardRefused(
    token === ""
      ? "BENCH_SHARD_TOKEN is not set"
      : `BENCH_SHARD_TOKEN has fewer than ${SHORTEST_TOKEN} characters`,
    "shards know each other by a random value that all of them have, such as `openssl rand -hex 32` prints",
  );
}

function readCertificate({ leadCert, leadKey }: ShardFlags) {
  if (leadCert === undefined && leadKey === undefined) return undefined;
  if (leadCert === undefined || leadKey === undefined) {
    throw new ShardRefused("--lead-cert and --lead-key go together");
  }
  return {
    cert: readPem("--lead-cert", leadCert, "CERTIFICATE"),
    key: readPem("--lead-key", leadKey, "PRIVATE KEY"),
  };
}

function shardName({ index, count }: Shard): string {
  return `${index}/${count}`;
}

/** Says that a share is with the lead. Returns the exit code: the lead has the verdict. */
export function handedOver(
  { meta, signal }: {
    readonly meta: RunMeta;
    readonly signal: StopSignal | undefined;
  },
  { name }: NonNullable<ShardedRun["joined"]>,
  console: Console,
): number {
  const { completed } = meta.iterations;
  console.err(
    `shard ${name} is done: ${
      plural(completed, "iteration")
    }; the lead has the results\n`,
  );
  return exitCode({ signal });
}
