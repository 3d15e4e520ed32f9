import type { Step } from "../../model/ir/flow.ts";
import { protocols } from "../../steps/registry.ts";
import type { Report } from "../../base/text/diagnostic.ts";
import { stringsOf } from "./strings.ts";

/** A user before the host of an absolute URL. */
const USER = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*@/;

/** Refuses URLs with a user in them, whether their hosts are known or not. */
export function checkUserinfo(
  step: Step,
  pointer: string,
  report: Report,
): void {
  const urls = protocols.get(step.kind)?.urls(step.block) ?? [];
  for (const { pointer: below, value } of urls) {
    for (const { text, pointer: at } of stringsOf(value, below)) {
      checkOne(text, `${pointer}/block${at}`);
    }
  }
  const tokenUrl = step.auth?.token_url;
  if (typeof tokenUrl === "string") {
    checkOne(tokenUrl, `${pointer}/auth/token_url`);
  }

  function checkOne(url: string, at: string): void {
    if (!USER.test(url)) return;
    report({
      at: { pointer: at, inside: url },
      code: "userinfo",
      message: "a URL cannot hold a user or a password before its host",
      hint: "put credentials into `auth`, with {{ env.* }} templates",
    });
  }
}
