/** How the requests of an open loop follow one another. */
export const ARRIVALS = ["constant", "poisson"] as const;
export type ArrivalPattern = (typeof ARRIVALS)[number];
