import type { Span } from "../../lib/model/result/trace.ts";

/** HAR 1.2, "timings": milliseconds, -1 for what did not happen. */
interface HarTimings {
  readonly blocked: number;
  readonly dns: number;
  /** With the TLS handshake, of which `ssl` is the part. */
  readonly connect: number;
  readonly ssl: number;
  readonly send: number;
  readonly wait: number;
  readonly receive: number;
}

/**
 * The phases of an exchange as HAR counts them. All but `ssl` add up to the
 * exchange: what no phase explains is `wait` when no response came, and else
 * `blocked`.
 */
export function timingsOf(
  { duration_us }: Span,
  phases: readonly Span[],
): HarTimings {
  const us = (name: string) =>
    phases.find((each) => each.name === name)?.duration_us;
  const dns = us("dns");
  const tcp = us("connect");
  const tls = us("tls");
  const wait = us("ttfb");
  const receive = us("transfer");
  const sum = [dns, tcp, tls, wait, receive]
    .reduce<number>((total, each) => total + (each ?? 0), 0);
  const rest = Math.max(0, duration_us - sum);
  const connected = tcp !== undefined || tls !== undefined;
  return {
    blocked: wait !== undefined && rest > 0 ? rest / 1_000 : -1,
    dns: ms(dns),
    connect: connected ? ms((tcp ?? 0) + (tls ?? 0)) : -1,
    ssl: ms(tls),
    send: 0,
    wait: ms(wait ?? rest),
    receive: (receive ?? 0) / 1_000,
  };
}

function ms(us: number | undefined): number {
  return us === undefined ? -1 : us / 1_000;
}
