import { deepStrictEqual, throws } from "node:assert/strict";
import { AddressError, parseListenAddress } from "../../../agent/address.ts";

const GOOD: readonly [text: string, address: object][] = [
  [":9090", { port: 9090 }],
  [":0", { port: 0 }],
  ["127.0.0.1:80", { hostname: "127.0.0.1", port: 80 }],
  ["0.0.0.0:9090", { hostname: "0.0.0.0", port: 9090 }],
  ["[::1]:9090", { hostname: "::1", port: 9090 }],
  ["metrics.internal:9090", { hostname: "metrics.internal", port: 9090 }],
];

for (const [text, address] of GOOD) {
  Deno.test(`parseListenAddress: ${text}`, () => {
    deepStrictEqual(parseListenAddress(text), address);
  });
}

const BAD = [
  "9090",
  "",
  ":",
  ":x",
  ":65536",
  "::1:9090",
  "http://h:1",
  "h:1:2",
];

for (const text of BAD) {
  Deno.test(`parseListenAddress refuses ${JSON.stringify(text)}`, () => {
    throws(() => parseListenAddress(text), AddressError);
  });
}
