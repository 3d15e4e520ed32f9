import type { Draft } from "./draft.ts";

/** The first lines of a flow: where it is from, and what a reader should know. */
export function writtenAs({ origin, notes }: Draft): string {
  const lines = [
    `Made by \`bench import ${origin}\`.`,
    ...notes.length > 0 ? ["", "What to know:"] : [],
    ...notes.map((each) => `- ${each}`),
  ];
  return lines.map((each) => each === "" ? "#" : `# ${each}`).join("\n") +
    "\n";
}
