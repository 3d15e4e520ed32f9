import { rawResponse } from "../support/raw_response.ts";
import { headerOf, recordingServer } from "../support/recording_server.ts";
import type { FixtureServer, Manner } from "./protocol_fixture.ts";

/** A server that speaks HTTP/1.1; `body` makes the good response's JSON. */
export function httpServer(
  manner: Manner,
  body: (authorization: string | undefined) => unknown,
): FixtureServer {
  const never = Promise.withResolvers<undefined>();
  const credentials: (string | undefined)[] = [];
  const server = recordingServer(async (arrival) => {
    const credential = headerOf(arrival, "authorization");
    credentials.push(credential);
    switch (manner) {
      case "responds":
        return rawResponse(200, body(credential));
      case "stays silent":
        return never.promise;
      case "throttles":
        return rawResponse(429, { error: "too many requests" });
      case "breaks off":
        await arrival.connection.send(
          rawResponse(200, body(credential)).slice(0, -5),
        );
        return undefined;
    }
  });
  return {
    url: server.url,
    credentials,
    asked: server.arrival(0).then(() => {}),
    async [Symbol.asyncDispose]() {
      never.resolve(undefined);
      await server[Symbol.asyncDispose]();
    },
  };
}
