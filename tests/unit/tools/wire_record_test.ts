import { deepStrictEqual } from "node:assert/strict";
import { serviceTimes } from "../../bench/wire_record.ts";

/** As tcpdump prints packets; bytes between a client of port 1,000 and a server. */
function packet(second: string, from: number, to: number, bytes: number) {
  return `${second} IP 127.0.0.1.${from} > 127.0.0.1.${to}: tcp ${bytes}`;
}

/** To a thousandth of a millisecond. */
function rounded(text: string): number[] {
  return serviceTimes(text, 80).map((ms) => Math.round(ms * 1_000) / 1_000);
}

Deno.test("a service time is from a request's packet to the last of its response", () => {
  const text = [
    packet("1764512345.999000000", 1000, 80, 0),
    packet("1764512345.999500000", 1000, 80, 70),
    packet("1764512345.999510000", 80, 1000, 0),
    packet("1764512346.029500000", 80, 1000, 100),
    packet("1764512346.039750500", 80, 1000, 50),
    packet("1764512346.039800000", 1000, 80, 0),
    packet("1764512346.040000000", 1000, 80, 70),
    packet("1764512346.042000000", 80, 1000, 150),
  ].join("\n");
  deepStrictEqual(rounded(text), [40.251, 2]);
});

Deno.test("each connection has its own; a request without a response has none", () => {
  const text = [
    packet("10.000000000", 1000, 80, 70),
    packet("10.000100000", 1001, 80, 70),
    packet("10.000200000", 1002, 80, 70),
    packet("10.005100000", 80, 1001, 150),
    packet("10.007000000", 80, 1000, 150),
    packet("10.008000000", 80, 1003, 150),
  ].join("\n");
  deepStrictEqual(rounded(text), [7, 5]);
});
