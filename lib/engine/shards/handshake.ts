import { ifPossible } from "../../base/values/if_possible.ts";
import { createHash, hash, randomBytes } from "node:crypto";
import { Refused } from "../../base/errors/bench_error.ts";
import { escapeControls } from "../../base/text/display.ts";
import { canonical } from "../../base/values/canonical.ts";
import type { JsonValue } from "../../base/values/json.ts";
import type { HttpChoice } from "../../model/result/response.ts";
import type { ArrivalPattern } from "../plan/plan.ts";
import type { Shard } from "../plan/shard.ts";
import type { PreparedRun } from "../preflight/prepared_run.ts";
import { type Frames, isSameProof, type Nonces, proofOf } from "./link.ts";

/** The facts that all shards of a run must have in common, beside the program's version. */
export interface Agreement {
  readonly flow: string;
  readonly target: string;
  readonly fixtures: string;
  readonly files: string;
  readonly seed: number;
  readonly http: HttpChoice;
  readonly arrivals: ArrivalPattern;
}

/** The agreement of this process; large things by their hash. */
export function agreementOf(
  { canonical: flow, target, fixtures, filesSha256 }: PreparedRun,
  { seed, http, arrivals }: Pick<Agreement, "seed" | "http" | "arrivals">,
): Agreement {
  const rows = createHash("sha256");
  for (const [pool, { columns, cells }] of fixtures) {
    rows.update(JSON.stringify([pool, columns]));
    for (let index = 0; index < cells.length; index++) {
      rows.update(JSON.stringify(cells.at(index) ?? null) + "\n");
    }
  }
  return {
    flow: hash("sha256", flow),
    target: hash("sha256", canonical(target as unknown as JsonValue)),
    fixtures: rows.digest("hex"),
    files: filesSha256,
    seed,
    http,
    arrivals,
  };
}

const NAMES: Readonly<Record<keyof Agreement, string>> = {
  flow: "the flow",
  target: "the target file",
  fixtures: "the content of the fixtures",
  files: "a file that a step names",
  seed: "`--seed`",
  http: "`--http`",
  arrivals: "`--arrivals`",
};

/** How what a shard has differs from what the lead has; undefined when it does not. */
export function difference(
  lead: Agreement,
  shard: Agreement,
): string | undefined {
  const keys = Object.keys(NAMES) as (keyof Agreement)[];
  const differing = keys.filter((key) => lead[key] !== shard[key]);
  if (differing.length === 0) return undefined;
  return differing.map((key) => {
    const short = (value: string | number) => String(value).slice(0, 12);
    return `${NAMES[key]} differs (lead ${short(lead[key])}, shard ${
      short(shard[key])
    })`;
  }).join(", ");
}

/** The facts by which an end of a link proves itself. */
export interface Credentials {
  /** Shared by all shards of a run. */
  readonly token: string;
  readonly version: string;
}

/** The shard is not let in, or does not want to be; trying once more is no use. */
export class ShardRefused extends Refused {
  override readonly name = "ShardRefused";
}

/** Bytes of a message before the sender has proven that it has the token. */
const MOST = 4_096;
const PROTOCOL = "bench shards 1";

/** The first message of the lead, and that of the shard. */
interface Opening {
  readonly protocol: string;
  readonly version: string;
  readonly nonce: string;
}
interface ShardOpening extends Opening {
  readonly shard: Shard;
  readonly proof: string;
}
type ProofResponse = { readonly proof: string } | { readonly refused: string };

/**
 * The lead's end: lets a shard in that runs the same version and knows the token,
 * and proves that it knows it as well.
 *
 * @throws {ShardRefused} for one that is not let in
 */
export async function admit(
  frames: Frames,
  { token, version }: Credentials,
): Promise<{ readonly shard: Shard; readonly nonces: Nonces }> {
  const lead = nonce();
  await send(frames, { protocol: PROTOCOL, version, nonce: lead });
  const response = await receive<ShardOpening>(frames);
  const refuse = async (message: string) => {
    await send(frames, { refused: message });
    throw new ShardRefused(message);
  };
  if (response.version !== version) {
    return refuse(otherVersion(version, response.version));
  }
  const nonces = { lead, shard: String(response.nonce) };
  const expected = proofOf(token, "shard", nonces, said(response.shard));
  if (!isSameProof(String(response.proof), expected)) {
    return refuse(OTHER_TOKEN);
  }
  await send(frames, { proof: proofOf(token, "lead", nonces, "") });
  return { shard: response.shard, nonces };
}

/**
 * The shard's end.
 *
 * @throws {ShardRefused} when it is not let in, or the lead cannot prove itself
 */
export async function introduce(
  frames: Frames,
  { token, version }: Credentials,
  shard: Shard,
): Promise<Nonces> {
  const opening = await receive<Opening>(frames);
  if (opening.protocol !== PROTOCOL) throw new Error("it is no lead of bench");
  const nonces = { lead: String(opening.nonce), shard: nonce() };
  await send(frames, {
    protocol: PROTOCOL,
    version,
    nonce: nonces.shard,
    shard,
    proof: proofOf(token, "shard", nonces, said(shard)),
  });
  const verdict = await receive<ProofResponse>(frames);
  if ("refused" in verdict) {
    // It has proven nothing: anything may listen there.
    throw new ShardRefused(escapeControls(String(verdict.refused)));
  }
  const expected = proofOf(token, "lead", nonces, "");
  if (isSameProof(String(verdict.proof), expected)) return nonces;
  throw new ShardRefused(
    "the lead could not prove that it knows BENCH_SHARD_TOKEN",
    "something else listens at its address",
  );
}

const OTHER_TOKEN = "BENCH_SHARD_TOKEN is not the lead's";

function otherVersion(lead: string, shard: string): string {
  return `the versions differ: the lead is bench ${lead}, the shard is bench ${
    escapeControls(String(shard).slice(0, 40))
  }`;
}

/** @param shard what the other end says, which may be anything */
function said(shard: Partial<Shard> | null | undefined): string {
  return `${shard?.index}/${shard?.count}`;
}

function nonce(): string {
  return randomBytes(32).toString("hex");
}

async function send(frames: Frames, value: unknown): Promise<void> {
  await frames.write(new TextEncoder().encode(JSON.stringify(value)));
}

async function receive<T extends object>(frames: Frames): Promise<T> {
  const bytes = await frames.read(MOST);
  if (!bytes) throw new Error("the connection was closed");
  const text = new TextDecoder().decode(bytes);
  // What the parser says would repeat what was sent.
  const value: unknown = ifPossible(() => JSON.parse(text), undefined);
  if (typeof value === "object" && value !== null) return value as T;
  throw new Error("a message is not of bench");
}
