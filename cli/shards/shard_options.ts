import type { Shard } from "../../lib/shards.ts";
import {
  duration,
  type FlagsOf,
  own,
  text,
  toggle,
  whole,
} from "../options/option.ts";
import { mustBe } from "../options/command.ts";
import { STORE } from "../options/shared_options.ts";

/** Where the lead is. */
export interface Address {
  readonly hostname: string;
  readonly port: number;
}

const OF_SHARD = { needs: "shard" } as const;

/** Of `bench run`, for one of several processes. */
export const SHARD = {
  shard: own(readShard)("i/n", "be shard i of n processes that share the run", {
    more:
      "`BENCH_SHARD_TOKEN` is the same in all of them ([machines.md](machines.md))",
  }),
  lead: own(readAddress)(
    "host:port",
    "where shard 0 listens and the others join",
    OF_SHARD,
  ),
  join_timeout: duration("0s")(
    "duration",
    "how long shards wait for each other",
    { ...OF_SHARD, fallback: "60s" },
  ),
  tolerate_lost: whole(0, 9_999)(
    "k",
    "how many lost shards do not make the run errored",
    { ...OF_SHARD, fallback: "0" },
  ),
  lead_cert: text("file", "PEM certificate that shard 0 shows", OF_SHARD),
  lead_key: text("file", "PEM key of that certificate", OF_SHARD),
  lead_cacert: text("file", "PEM of who signed it, for the others", OF_SHARD),
  lead_without_tls: toggle(
    "let shard 0 listen without TLS where other machines reach it",
    OF_SHARD,
  ),
};
export type ShardFlags = FlagsOf<typeof SHARD>;

/** How the shares of a run are joined. */
export const MERGING = {
  tolerate_lost: whole(0, 9_999)(
    "k",
    "how many shards may be missing or lost",
    { fallback: "0" },
  ),
  ...STORE,
};
export const MERGE = {
  ...MERGING,
  json: toggle("print the run's meta.json"),
};

/** `2/8`: the third of eight. */
function readShard(text: string): Shard {
  const match = /^(\d{1,4})\/(\d{1,4})$/.exec(text);
  const [index, count] = [Number(match?.[1]), Number(match?.[2])];
  if (match && index < count) return { index, count };
  throw mustBe(
    "an index from 0 and how many there are, such as 0/3",
    text,
  );
}

/** `host:port`, an IPv6 address in brackets. */
function readAddress(text: string): Address {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:/[\]]+)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (match && port > 0 && port < 65_536) {
    return { hostname: match[1] ?? match[2]!, port };
  }
  throw mustBe("a host and a port, such as 10.0.0.5:7979", text);
}
