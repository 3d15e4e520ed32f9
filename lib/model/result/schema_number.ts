/** Version of every file in a run directory; readers refuse a newer one. */
export const RUN_SCHEMA = 1;
