/** RFC 7541 appendix A; index 1 is the first. */
// deno-fmt-ignore
export const STATIC_TABLE: readonly (readonly [name: string, value: string])[] = [
  [":authority", ""], [":method", "GET"], [":method", "POST"], [":path", "/"], [":path", "/index.html"],
  [":scheme", "http"], [":scheme", "https"], [":status", "200"], [":status", "204"], [":status", "206"],
  [":status", "304"], [":status", "400"], [":status", "404"], [":status", "500"], ["accept-charset", ""],
  ["accept-encoding", "gzip, deflate"], ["accept-language", ""], ["accept-ranges", ""], ["accept", ""],
  ["access-control-allow-origin", ""], ["age", ""], ["allow", ""], ["authorization", ""], ["cache-control", ""],
  ["content-disposition", ""], ["content-encoding", ""], ["content-language", ""], ["content-length", ""],
  ["content-location", ""], ["content-range", ""], ["content-type", ""], ["cookie", ""], ["date", ""], ["etag", ""],
  ["expect", ""], ["expires", ""], ["from", ""], ["host", ""], ["if-match", ""], ["if-modified-since", ""],
  ["if-none-match", ""], ["if-range", ""], ["if-unmodified-since", ""], ["last-modified", ""], ["link", ""],
  ["location", ""], ["max-forwards", ""], ["proxy-authenticate", ""], ["proxy-authorization", ""], ["range", ""],
  ["referer", ""], ["refresh", ""], ["retry-after", ""], ["server", ""], ["set-cookie", ""],
  ["strict-transport-security", ""], ["transfer-encoding", ""], ["user-agent", ""], ["vary", ""], ["via", ""],
  ["www-authenticate", ""],
];

/** The index of a field, by name and value; the first one wins. */
export const STATIC_FIELDS: ReadonlyMap<string, number> = indexes(
  ([name, value]) => fieldKey(name, value),
);

/** The first index of a name. */
export const STATIC_NAMES: ReadonlyMap<string, number> = indexes(
  ([name]) => name,
);

/** A field as a key of a map. No name holds a line break. */
export function fieldKey(name: string, value: string): string {
  return `${name}\n${value}`;
}

function indexes(
  key: (field: readonly [string, string]) => string,
): Map<string, number> {
  return new Map(
    STATIC_TABLE.map((field, at) => [key(field), at + 1] as const).reverse(),
  );
}
