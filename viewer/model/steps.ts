/** Colours that distinguish steps; more steps than these share them. */
export const STEP_COLOURS = 6;

/** `s0` to `s5`, `s-none` for what is no step. */
export function stepClass(ids: readonly string[], name: string): string {
  const at = ids.indexOf(name);
  return at < 0 ? "s-none" : `s${at % STEP_COLOURS}`;
}
