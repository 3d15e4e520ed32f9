import type { Offer } from "../source/offer.ts";
import type { Writing } from "./complete_keys.ts";
import type { Surroundings } from "./surroundings.ts";
import type { Suggestion } from "./suggestion.ts";

/** Files and folders that a value may name: one level of the path at a time. */
export function suggestPaths(
  { document, offset, context: { typed } }: Writing,
  { files = [], folders }: Offer,
  surroundings: Surroundings,
): Suggestion[] {
  if (files.length === 0 && !folders) return [];
  const slash = typed.lastIndexOf("/") + 1;
  const start = offset - typed.length + slash;
  const goesOn = /^[^\s"'#,\]}]*/.exec(document.text.slice(offset))![0];
  return surroundings.list(typed.slice(0, slash) || ".")
    .filter((name) =>
      name.endsWith("/") ||
      files.some((ending) => name.toLowerCase().endsWith(ending))
    )
    .map((name) => {
      const folder = name.endsWith("/");
      return {
        label: name,
        kind: folder ? "folder" : "file",
        change: {
          start,
          end: offset + goesOn.length,
          text: folder && folders ? name.slice(0, -1) : name,
        },
      };
    });
}
