import type { Form } from "./forms.ts";
import type { Reference } from "./reference.ts";

/** What is known of a key, as Markdown. */
export function keyText(
  key: string,
  form: Form,
  reference: Reference,
): string {
  const description = form["description"];
  const words = (form["enum"] as string[] | undefined)
    ?.map((each) => `\`${each}\``).join(", ");
  const example = reference.example(key);
  return [
    `**${key}**${description === undefined ? "" : `: ${description}`}`,
    ...(words === undefined ? [] : [`One of ${words}.`]),
    ...(example === undefined ? [] : [example]),
  ].join("\n\n");
}
