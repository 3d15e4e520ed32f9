/** Options of a test that leaves no socket, timer or file open. */
export const STRICT = { sanitizeOps: true, sanitizeResources: true };
