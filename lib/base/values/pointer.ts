/** `pointer` one level deeper (JSON Pointer, RFC 6901 section 3). */
export function child(pointer: string, key: string | number): string {
  const token = String(key).replaceAll("~", "~0").replaceAll("/", "~1");
  return `${pointer}/${token}`;
}
