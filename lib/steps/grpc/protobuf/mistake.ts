/** What is wrong with a schema. */
export interface SchemaMistake {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  /** Where it stands; absent when the main file itself cannot be read. */
  readonly place?: SchemaPlace;
}

/** A place in a `.proto` file; line and column are 1-based. */
export interface SchemaPlace {
  readonly name: string;
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** A `.proto` file and its text. */
export interface SchemaFile {
  readonly name: string;
  readonly text: string;
}

/** The place of the character at `offset` of a file. */
export function placeAt(
  { name, text }: SchemaFile,
  offset: number,
): SchemaPlace {
  const before = text.slice(0, Math.max(0, offset)).split("\n");
  return {
    name,
    text,
    line: before.length,
    column: before.at(-1)!.length + 1,
  };
}

/** What is wrong with a message as it is written. */
export interface MessageMistake {
  /** JSON Pointer into the message. */
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  /** The key at fault; the value when absent. */
  readonly inside?: string;
}
