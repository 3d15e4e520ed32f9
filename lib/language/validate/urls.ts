import type { Report } from "../../base/text/diagnostic.ts";
import type { CheckedStep, Parts } from "./parts.ts";

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

const NAME = "([A-Za-z_][\\w.-]*)";
/** How other tools and API descriptions write a value that is put into a URL. */
const ANYWHERE = new RegExp(`\\$\\{${NAME}\\}`);
const IN_PATH = new RegExp(
  `(?<!\\{)\\{${NAME}\\}(?!\\})|<${NAME}>|(?<=/):${NAME}(?=/|$)`,
);
/** The whole value of a parameter. */
const IN_QUERY = new RegExp(
  `(?<==)(?:\\{${NAME}\\}|<${NAME}>|:${NAME})(?=&|#|$)`,
);

/** Warns of what looks like a template of another language in a URL, and is text. */
export function checkPlaceholders({ parts, names, report }: CheckedStep): void {
  for (const { pointer, value: url } of parts.of("url")) {
    const [, path = "", query = ""] =
      /^((?:[A-Za-z][\w+.-]*:\/\/[^/?#]*)?[^?#]*)(.*)$/s.exec(url)!;
    const found = ANYWHERE.exec(url) ??
      IN_PATH.exec(path.replace(/^[A-Za-z][\w+.-]*:\/\/[^/]*/, "")) ??
      IN_QUERY.exec(query);
    if (!found) continue;
    const [written, ...captured] = found;
    const name = captured.find((each) => each !== undefined)!;
    const meant = names.extractedBy.has(name) || !names.pools.has("user")
      ? name
      : `user.${name}`;
    report({
      at: { pointer, inside: written },
      code: "placeholder",
      message: `\`${written}\` is sent as it is: it is not a template`,
      hint: `for a value write {{ ${meant} }}`,
      severity: "warning",
    });
  }
}
