import type { Clock } from "../../base/time/clock.ts";
import type { IdWords } from "../../results/traces/trace_ids.ts";
import type { ByteStream } from "../../wire/net/byte_stream.ts";
import type { Shard } from "../plan/shard.ts";
import { type Agreement, difference } from "./agreement.ts";
import { Frames } from "./frames.ts";
import { admit, type Credentials, ShardRefused } from "./handshake.ts";
import { Link } from "./link.ts";
import { Member } from "./member.ts";
import type { FromShard, ToShard } from "./message.ts";

/** How long a shard may take to prove itself. */
const PROOF_MS = 5_000;

/** What the lead lets shards in by. */
export interface ReceptionRules extends Credentials {
  /** How many the run has, the lead's included. */
  readonly shards: number;
  readonly agreement: Agreement;
  readonly ids: IdWords;
  readonly clock: Clock;
  /** Says who came, and who was not let in. */
  readonly say: (text: string) => void;
}

/** What becomes of the shards that come. */
export interface Host {
  /** The run has begun. */
  readonly begun: boolean;
  has(index: number): boolean;
  add(member: Member): void;
  receive(member: Member, message: FromShard): void;
  lost(member: Member, why: string): void;
}

/**
 * Receives one connection: lets the shard in when everything fits, and says why it
 * does not otherwise.
 */
export async function receive(
  stream: ByteStream,
  from: string,
  rules: ReceptionRules,
  host: Host,
): Promise<void> {
  const { clock } = rules;
  const frames = new Frames(stream, () => clock.now());
  const late = new AbortController();
  void clock.sleep(PROOF_MS, late.signal).then(() => {
    if (!late.signal.aborted) frames.close();
  });
  try {
    const { shard, nonces } = await admit(frames, rules);
    late.abort();
    const link = new Link<ToShard, FromShard>(
      frames,
      clock,
      "lead",
      rules.token,
      nonces,
    );
    await serve(link, shard, from, rules, host);
  } catch (error) {
    frames.close();
    if (late.signal.aborted && !(error instanceof ShardRefused)) return;
    rules.say(`${from} was not let in: ${(error as Error).message}`);
  } finally {
    late.abort();
  }
}

async function serve(
  link: Link<ToShard, FromShard>,
  shard: Shard,
  from: string,
  rules: ReceptionRules,
  host: Host,
): Promise<void> {
  const name = `shard ${shard.index}/${shard.count} at ${from}`;
  let member: Member | undefined;
  await link.listen((message) => {
    if (member) return host.receive(member, message);
    if (message.type !== "join") return;
    const refused = whyNot(shard, message.agreement, rules, host);
    if (refused !== undefined) {
      rules.say(`${name} was not let in: ${refused}`);
      void link.send({ type: "turned-away", message: refused })
        .then(() => link.close());
      return;
    }
    const joined = member = new Member(shard.index, link, rules.clock);
    void link.lost.then((why) => host.lost(joined, why));
    void link.send({ type: "joined", ids: rules.ids });
    rules.say(`${name} joined`);
    host.add(member);
  });
}

function whyNot(
  { index, count }: Shard,
  theirs: Agreement,
  { shards, agreement }: ReceptionRules,
  host: Host,
): string | undefined {
  if (count !== shards) {
    return `the run has ${shards} shards, it says ${count}`;
  }
  if (host.begun) return "the run has begun without it";
  if (index === 0) return "shard 0 is the lead";
  if (!Number.isInteger(index) || index < 0 || index >= count) {
    return `there is no shard ${index} of ${count}`;
  }
  if (host.has(index)) return `shard ${index} has joined before`;
  return difference(agreement, theirs);
}
