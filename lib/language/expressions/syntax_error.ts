/** A mistake inside a little language, with its place in the text. */
export class ExpressionError extends SyntaxError {
  override readonly name = "ExpressionError";
  constructor(
    readonly code: string,
    message: string,
    /** 0-based offset in the expression's text. */
    readonly offset: number,
    readonly hint?: string,
  ) {
    super(message);
  }
}
