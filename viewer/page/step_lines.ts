/** Steps whose lines and colours can be distinguished in one chart. */
export const STEP_LINES = 6;
