import fc from "fast-check";

/** Any UTF-16, with plenty of what matters in a request. */
export const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(..."\r\n\0\t :%/?#[]\\"),
    fc.nat(0xffff).map((code) => String.fromCharCode(code)),
    fc.nat(0x7f).map((code) => String.fromCharCode(code)),
  ),
  maxLength: 30,
});
