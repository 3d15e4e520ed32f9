import type { Report } from "../../base/text/diagnostic.ts";
import type { Parts } from "./parts.ts";

/** A user before the host of an absolute URL. */
const USER = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*@/;

/** Refuses URLs with a user in them, whether their hosts are known or not. */
export function checkUserinfo(parts: Parts, report: Report): void {
  for (const { pointer, value: url } of parts.of("url")) {
    if (!USER.test(url)) continue;
    report({
      at: { pointer, inside: url },
      code: "userinfo",
      message: "a URL cannot hold a user or a password before its host",
      hint: "put credentials into `auth`, with {{ env.* }} templates",
    });
  }
}
