import { isObject, type JsonObject } from "../../lib/base/values/json.ts";
import { refuse, type Routes } from "./route.ts";

/** Close code for "too many sessions" (IANA registry of RFC 6455). */
const TRY_AGAIN_LATER = 1013;

/**
 * A chat over WebSocket: `GET /chat` greets, then responds to every frame by its
 * `type`. `ask` says `typing` first; `crowd` closes with 1013; anything else
 * comes back as it was.
 */
export function socketRoutes(): Routes {
  return {
    "GET /chat": ({ request }) => {
      if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") {
        return refuse(426, "`/chat` speaks WebSocket", {
          upgrade: "websocket",
        });
      }
      const offered = request.headers.get("sec-websocket-protocol");
      const { socket, response } = Deno.upgradeWebSocket(
        request,
        offered === null ? {} : { protocol: offered.split(",")[0]!.trim() },
      );
      const say = (frame: JsonObject) => socket.send(JSON.stringify(frame));
      socket.onopen = () => say({ type: "welcome" });
      socket.onmessage = ({ data }) => {
        const frame = readFrame(data);
        if (!frame) return say({ type: "error", error: "not a JSON object" });
        if (frame.type === "crowd") {
          return socket.close(TRY_AGAIN_LATER, "too many of you");
        }
        if (frame.type !== "ask") return say(frame);
        say({ type: "typing" });
        say({ type: "answer", id: frame.id ?? null, text: "42" });
      };
      return response;
    },
  };
}

function readFrame(data: unknown): JsonObject | undefined {
  if (typeof data !== "string") return undefined;
  try {
    const value: unknown = JSON.parse(data);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
