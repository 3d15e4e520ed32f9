import { deepStrictEqual } from "node:assert/strict";
import { routeNotes } from "../../../../lib/engine/run_context/route_notes.ts";
import { parseBaseUrl } from "../../../../lib/wire/net/url.ts";

const prepared = {
  bases: [
    parseBaseUrl("https://shop.example"),
    parseBaseUrl("http://[::1]:8080"),
  ],
} as const;
const resolve = {
  "shop.example:443": ["10.0.0.7", "10.0.0.8"],
  "shop.example:80": ["10.0.0.9"],
};

Deno.test("routeNotes: an address is used where a base URL has its host and port", () => {
  deepStrictEqual(routeNotes(prepared, { resolve }), {
    used: [
      "shop.example:443 was not looked up: connections went to 10.0.0.7, 10.0.0.8 (--resolve)",
    ],
    unused: [
      "--resolve of shop.example:80 has no effect: the target has shop.example:443, [::1]:8080",
    ],
  });
  deepStrictEqual(routeNotes(prepared), { used: [], unused: [] });
});

Deno.test("routeNotes: behind a proxy only its own address is used", () => {
  const proxy = { host: "shop.example", port: 80 };
  deepStrictEqual(routeNotes(prepared, { resolve, proxy }), {
    used: [
      "shop.example:80 was not looked up: connections went to 10.0.0.9 (--resolve)",
      "connections went through the proxy shop.example:80 (--proxy): its time is in the figures",
    ],
    unused: [
      "--resolve of shop.example:443 has no effect: the proxy looks up the hosts of the target",
    ],
  });
});
