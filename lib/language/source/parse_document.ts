import {
  type Document,
  type DocumentOptions,
  parseDocument,
  type ParseOptions,
  type SchemaOptions,
} from "yaml";

/**
 * YAML as far as the library can read it; undefined where the text is nested too
 * deep for it.
 */
export function parsedDocument(
  text: string,
  options: ParseOptions & DocumentOptions & SchemaOptions = {
    logLevel: "silent",
  },
): Document.Parsed | undefined {
  const { stackTraceLimit } = Error;
  // Each error of a text would take a trace, and there may be thousands.
  Error.stackTraceLimit = 0;
  try {
    const document = parseDocument(text, {
      prettyErrors: false,
      uniqueKeys: false,
      ...options,
    });
    const [first] = document.errors.toSorted((a, b) => a.pos[0] - b.pos[0]);
    // What depth does to the library may end up among the errors of the text.
    return /call stack|stack overflow/i.test(first?.message ?? "")
      ? undefined
      : document;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
