/** VUs are stored from 0 and counted from 1 wherever people read or type them. */
export function vuNumber(vu: number): number {
  return vu + 1;
}

/** What is stored of the VU that is called so. */
export function vuOfNumber(number: number): number {
  return number - 1;
}
