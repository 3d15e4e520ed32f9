import { parseReference } from "./template.ts";

/** The prefixes of other tools before a part of the response. */
export const BODY = /^(?:body|json(?:\(\))?|content)(?=[.[])\.?/i;
export const RESPONSE = /^(?:pm\.)?(?:response|resp|res|http|r)\./i;

/** The JSON path that other tools write as `body.id`, or `id`; undefined for any other text. */
export function meantPath(name: string): string | undefined {
  const bare = name.replace(RESPONSE, "").replace(BODY, "")
    .replace(/^(?:0|[1-9]\d*)(?=$|[.[])/, "[$&]");
  const reference = parseReference(bare);
  if (reference) {
    return `$${[reference.root, ...reference.path].map(segment).join("")}`;
  }
  return /^[\w.[\]*-]+$/.test(bare)
    ? `$${bare.startsWith("[") ? "" : "."}${bare}`
    : undefined;
}

function segment(name: string): string {
  if (/^(?:0|-?[1-9]\d*)$/.test(name)) return `[${name}]`;
  return /^[A-Za-z_]\w*$/.test(name)
    ? `.${name}`
    : `[${name.includes("'") ? JSON.stringify(name) : `'${name}'`}]`;
}
