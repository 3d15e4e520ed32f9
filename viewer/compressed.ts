const COMPRESSIBLE = /^(?:text\/(?!event-stream)|image\/svg|application\/json)/;

/** The response in gzip, where the client takes it and something is gained. */
export function compressed(request: Request, response: Response): Response {
  const { body, headers, status, statusText } = response;
  const type = headers.get("content-type") ?? "";
  if (!body || status !== 200 || !COMPRESSIBLE.test(type)) return response;
  const own = new Headers(headers);
  own.append("vary", "accept-encoding");
  if (!takesGzip(request.headers.get("accept-encoding"))) {
    return new Response(body, { status, statusText, headers: own });
  }
  own.set("content-encoding", "gzip");
  const packed = body.pipeThrough(new CompressionStream("gzip"));
  return new Response(packed, { status, statusText, headers: own });
}

/** RFC 9110 section 12.5.3. */
function takesGzip(field: string | null): boolean {
  return (field ?? "").split(",").some((each) => {
    const [coding, weight] = each.split(";").map((part) => part.trim());
    return coding!.toLowerCase() === "gzip" &&
      !/^q=0(?:\.0*)?$/.test(weight ?? "");
  });
}
