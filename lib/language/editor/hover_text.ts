import type { Form } from "./forms.ts";
import type { Reference } from "./reference.ts";
import type { TreePath } from "./tree.ts";

/**
 * What is known of a key, as Markdown.
 *
 * @param path of the mapping it is in
 */
export function keyText(
  key: string,
  path: TreePath,
  form: Form,
  reference: Reference,
): string {
  const around = path.filter((each) => typeof each === "string");
  const qualified = `${around.at(-1)}.${key}`;
  const meaning = reference.meaning(qualified, around) ??
    reference.meaning(key, around);
  const description = form["description"];
  const words = (form["enum"] as string[] | undefined)
    ?.map((each) => `\`${each}\``).join(", ");
  const example = reference.example(key);
  return [
    `**${key}**${description === undefined ? "" : `: ${description}`}`,
    ...(meaning === undefined ? [] : [meaning]),
    ...(words === undefined ? [] : [`One of ${words}.`]),
    ...(example === undefined ? [] : [example]),
  ].join("\n\n");
}
