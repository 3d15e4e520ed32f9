import { type Command, InvalidArgumentError, Option } from "commander";
import { parseDuration } from "../../lib/base/values/duration.ts";
import type { Shard } from "../../lib/shards.ts";

/** Flags of `bench run` for one of several processes. */
export interface ShardFlags {
  readonly shard?: Shard;
  readonly lead?: Address;
  /** Milliseconds. */
  readonly joinTimeout: number;
  readonly tolerateLost: number;
  /** PEM files. */
  readonly leadCert?: string;
  readonly leadKey?: string;
  readonly leadCacert?: string;
}

/** Where the lead is. */
export interface Address {
  readonly hostname: string;
  readonly port: number;
}

/** `2/8`: the third of eight. */
function readShard(text: string): Shard {
  const match = /^(\d{1,4})\/(\d{1,4})$/.exec(text);
  const [index, count] = [Number(match?.[1]), Number(match?.[2])];
  if (match && index < count) return { index, count };
  throw new InvalidArgumentError(
    `It must be an index from 0 and how many there are, such as 0/3, but it is ${
      JSON.stringify(text)
    }.`,
  );
}

/** `host:port`, an IPv6 address in brackets. */
function readAddress(text: string): Address {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:/[\]]+)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (match && port > 0 && port < 65_536) {
    return { hostname: match[1] ?? match[2]!, port };
  }
  throw new InvalidArgumentError(
    `It must be a host and a port, such as 10.0.0.5:7979, but it is ${
      JSON.stringify(text)
    }.`,
  );
}

/** A duration, in milliseconds. */
function readDuration(text: string): number {
  try {
    return parseDuration(text) / 1_000;
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message}.`);
  }
}

/** Whether only this machine can reach the address. */
export function isLoopback({ hostname }: Address): boolean {
  return hostname === "localhost" || hostname === "::1" ||
    /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** As it is written. */
export function addressText({ hostname, port }: Address): string {
  return hostname.includes(":")
    ? `[${hostname}]:${port}`
    : `${hostname}:${port}`;
}

/** Adds what `bench run` takes for a run of several processes. */
export function withShards(command: Command): Command {
  return shardOptions().reduce(
    (all, option) => all.addOption(option),
    command,
  );
}

function shardOptions(): Option[] {
  return [
    new Option("--shard <i/n>", "be shard i of n processes that share the run")
      .argParser(readShard),
    new Option(
      "--lead <host:port>",
      "where shard 0 listens and the others join",
    ).argParser(readAddress),
    new Option(
      "--join-timeout <duration>",
      "how long shards wait for each other",
    ).argParser(readDuration).default(60_000, "60s"),
    new Option(
      "--tolerate-lost <k>",
      "how many lost shards do not make the run errored",
    ).argParser(readCount).default(0),
    new Option("--lead-cert <file>", "PEM certificate that shard 0 shows"),
    new Option("--lead-key <file>", "PEM key of that certificate"),
    new Option("--lead-cacert <file>", "PEM of who signed it, for the others"),
  ];
}

function readCount(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number.");
}
