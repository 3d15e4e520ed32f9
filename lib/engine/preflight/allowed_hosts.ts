import type { Flow } from "../../language/ir.ts";
import type { Target } from "../../language/ir.ts";
import type { Report } from "../../base/text/diagnostic.ts";
import { checkHosts } from "../../language/validate/environment.ts";
import { registry } from "../../steps/registry.ts";
import { AllowList } from "../../wire/net/allow_list.ts";
import { type BaseUrl, parseBaseUrl, resolveUrl } from "../../wire/net/url.ts";

/** The base URLs of a target, ready for the wire. */
export function basesOf(target: Target): readonly [BaseUrl, ...BaseUrl[]] {
  const [first, ...rest] = target.base_urls.map(parseBaseUrl);
  if (!first) throw new TypeError("a target needs at least one base URL");
  return [first, ...rest];
}

const TO_ALLOW_IT =
  "list the host under `base_urls` of the target, if it may be contacted";

/** Reports every URL known before the run that the target does not allow. */
export function checkAllowed(
  flow: Flow,
  bases: readonly [BaseUrl, ...BaseUrl[]],
  report: Report,
): void {
  const allowed = new AllowList(bases);
  checkHosts(flow, registry, (url) => {
    try {
      const message = allowed.refusal(resolveUrl(url, bases[0]).origin);
      return message === undefined ? undefined : { message, hint: TO_ALLOW_IT };
    } catch (error) {
      return { message: (error as Error).message };
    }
  }, report);
}
