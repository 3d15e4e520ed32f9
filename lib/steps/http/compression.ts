/** How a compressed file begins. */
const MAGIC: readonly (readonly number[])[] = [
  [0x50, 0x4b, 0x03, 0x04], // ZIP, and what is made of it: JAR, DOCX, EPUB
  [0x28, 0xb5, 0x2f, 0xfd], // Zstandard
  [0xfd, 0x37, 0x7a, 0x58, 0x5a], // xz
  [0x42, 0x5a, 0x68], // bzip2
  [0x37, 0x7a, 0xbc, 0xaf], // 7z
  [0x04, 0x22, 0x4d, 0x18], // LZ4
  [0x1f, 0x9d], // compress
  [0x1f, 0xa0],
  [0x52, 0x61, 0x72, 0x21], // RAR
];
const GZIP = [0x1f, 0x8b];

const TYPE =
  /[/+.-](?:g?zip|zstd|zstandard|bzip2?|xz|lzma|lz4|lzip|7z|rar|compress(?:ed)?|java-archive|brotli)\b|officedocument|opendocument/i;

export function isGzip(body: Uint8Array): boolean {
  return begins(body, GZIP);
}

/** Whether a body is a compressed file that is not gzip. */
export function isCompressed(body: Uint8Array): boolean {
  return MAGIC.some((magic) => begins(body, magic));
}

/** Whether a media type is one of compressed files. */
export function saysCompressed(contentType: string | undefined): boolean {
  return TYPE.test(contentType ?? "");
}

function begins(body: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, at) => body[at] === byte);
}
