/** RFC 9113 section 6. */
export const FRAME = {
  DATA: 0,
  HEADERS: 1,
  PRIORITY: 2,
  RST_STREAM: 3,
  SETTINGS: 4,
  PUSH_PROMISE: 5,
  PING: 6,
  GOAWAY: 7,
  WINDOW_UPDATE: 8,
  CONTINUATION: 9,
} as const;

/** Flags of a frame; what 1 means depends on the type. */
export const FLAG = {
  ACK: 0x1,
  END_STREAM: 0x1,
  END_HEADERS: 0x4,
  PADDED: 0x8,
  PRIORITY: 0x20,
} as const;

/** Settings, by identifier (RFC 9113 section 6.5.2). */
export const SETTING = {
  HEADER_TABLE_SIZE: 1,
  ENABLE_PUSH: 2,
  MAX_CONCURRENT_STREAMS: 3,
  INITIAL_WINDOW_SIZE: 4,
  MAX_FRAME_SIZE: 5,
  MAX_HEADER_LIST_SIZE: 6,
} as const;

/** Bytes of a frame before its payload (RFC 9113 section 4.1). */
export const FRAME_HEAD = 9;

/** The most a payload may hold unless a setting says otherwise. */
export const FIRST_FRAME_SIZE = 16_384;

/** The first window of a connection and of a stream (RFC 9113 section 6.9.2). */
export const FIRST_WINDOW = 65_535;

/** No window is ever larger (RFC 9113 section 6.9.1). */
export const MOST_WINDOW = 2 ** 31 - 1;

/** The name of a frame type for a person. */
export function frameName(type: number): string {
  const known = Object.entries(FRAME).find(([, each]) => each === type);
  return known ? known[0] : `unknown type ${type}`;
}
