/** A name: letters, digits, `_` and `-`; no digit and no `-` first. */
export const NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;
