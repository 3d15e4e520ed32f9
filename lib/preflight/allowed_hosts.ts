import type { Flow } from "../ir/flow.ts";
import type { Target } from "../ir/target.ts";
import { checkHosts } from "../validate/hosts.ts";
import type { Report } from "../validate/report.ts";
import { AllowList } from "../wire/allow_list.ts";
import { type BaseUrl, parseBaseUrl, resolveUrl } from "../wire/url.ts";

/** The base URLs of a target, ready for the wire. */
export function basesOf(target: Target): readonly [BaseUrl, ...BaseUrl[]] {
  const [first, ...rest] = target.base_urls.map(parseBaseUrl);
  if (!first) throw new TypeError("a target needs at least one base URL");
  return [first, ...rest];
}

/** Reports every URL known before the run that the target does not allow. */
export function checkAllowed(
  flow: Flow,
  bases: readonly [BaseUrl, ...BaseUrl[]],
  report: Report,
): void {
  const allowed = new AllowList(bases);
  checkHosts(flow, (url) => {
    try {
      const { origin } = resolveUrl(url, bases[0]);
      return allowed.permits(origin)
        ? undefined
        : `\`${origin.key}\` is not on the target's allow-list: base_urls permits ${allowed.describe()}`;
    } catch (error) {
      return (error as Error).message;
    }
  }, report);
}
