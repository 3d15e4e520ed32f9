import { stringify } from "yaml";
import type { Draft } from "./draft.ts";
import type { EnvVariable } from "./credentials.ts";

/** A name for files: what is between `api.` and the top-level domain. */
export function nameOf(baseUrl: string): string {
  const host = /^\w+:\/\/([^/:]+)/.exec(baseUrl)?.[1] ?? "";
  if (/^[\d.]+$|^\[|^localhost$|\.invalid$/.test(host) || host === "") {
    return "imported";
  }
  const labels = host.split(".").filter((each) => !/^(?:www|api)$/.test(each));
  const name = (labels.length > 1 ? labels.slice(0, -1) : labels).join("-")
    .replaceAll(/[^A-Za-z0-9_-]+/g, "-");
  return /^[A-Za-z_]/.test(name) ? name : `on-${name}`;
}

/**
 * The target file: where flows may go.
 *
 * @param baseUrls of all flows that share it
 */
export function targetYaml(
  draft: Draft,
  baseUrls: readonly string[] = draft.baseUrls,
): string {
  const { timeout } = draft;
  const name = draft.target ?? draft.name;
  return `# Where runs may go; no other host is contacted.\n` +
    stringify({
      name,
      base_urls: baseUrls,
      ...(timeout !== undefined && { request_timeout: `${timeout}s` }),
    }, { lineWidth: 0 });
}

/** The variables the flow reads, without their values. */
export function envExample(env: readonly EnvVariable[]): string {
  const about = new Map(env.map((each) => [each.name, each.about]));
  const lines = [...about].map(([name, text]) => `# ${text}\n${name}=\n`);
  return "# Copy to .env, fill in the values, keep it out of version control, then:\n" +
    "#   set -a; . ./.env; set +a\n\n" + lines.join("\n");
}

/** The fixture (RFC 4180). */
export function fixtureCsv(draft: Draft): string | undefined {
  const { fixture } = draft;
  if (!fixture) return;
  const line = (cells: readonly string[]) => `${cells.map(cell).join(",")}\n`;
  return [fixture.columns, ...fixture.rows].map(line).join("");
}

function cell(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text)
    ? `"${text.replaceAll('"', '""')}"`
    : text;
}
