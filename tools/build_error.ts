/** What a person did wrong, or what the machine lacks. */
export class BuildError extends Error {
  override readonly name = "BuildError";
}
