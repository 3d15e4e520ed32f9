import { Server } from "@modelcontextprotocol/sdk/server";
// @ts-types="@modelcontextprotocol/sdk/types"
import {
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { ErrorCodes, ResponseError } from "vscode-jsonrpc";
import type { JsonObject } from "../../lib/base/values/json.ts";
import { VERSION } from "../../lib/base/values/build.ts";
import type { Calls } from "./calls.ts";
import { resources } from "./resources.ts";
import { toolsOf } from "./tools.ts";

const INSTRUCTIONS =
  `bench runs flows of requests: functional checks first, load tests of the same file.
Read bench://docs/flow-file.md and an example before writing a flow. Then: \`validate\` until nothing is wrong, \`run\` it, and for a
failure \`trace\` with the run's id shows the requests and responses. Files are those of one folder; hosts are those of a target file in it.
Credentials are never written down: a flow names a variable, {{ env.NAME }}, which the user sets.`;

/**
 * The server of one client.
 *
 * @param decided the parameters that the server decides for every call
 */
export function mcpServer(calls: Calls, decided: JsonObject): Server {
  const server = new Server({ name: "bench", version: VERSION }, {
    capabilities: { tools: {}, resources: {} },
    instructions: INSTRUCTIONS,
  });
  const tools = new Map(toolsOf(decided).map((each) => [each.name, each]));
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...tools.values()].map((
      { name, description, inputSchema, annotations },
    ) => ({ name, description, inputSchema, annotations })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async (request, extra) => {
    const { name, arguments: given } = request.params;
    const tool = tools.get(name);
    if (!tool) {
      throw new ResponseError(
        ErrorCodes.InvalidParams,
        `there is no tool \`${name}\``,
      );
    }
    const token = extra._meta?.progressToken;
    const { text, data, failed } = await calls.make(
      tool,
      given,
      extra.signal,
      (figures) => {
        if (token === undefined) return;
        const params = { progressToken: token, ...progressOf(figures) };
        void extra.sendNotification({
          method: "notifications/progress",
          params,
        })
          .catch(() => {});
      },
    );
    return {
      content: [{ type: "text", text }],
      structuredContent: data,
      isError: failed,
    };
  });
  serveResources(server);
  return server;
}

function serveResources(server: Server): void {
  const byUri = resources();
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: [...byUri.values()].map(({ read: _, ...shown }) => shown),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    const found = byUri.get(uri);
    if (!found) {
      throw new ResponseError(
        ErrorCodes.InvalidParams,
        `there is no resource ${uri}`,
      );
    }
    const { mimeType, read } = found;
    return { contents: [{ uri, mimeType, text: read() }] };
  });
}

/** The figures of a second, as a `progress` of `bench rpc` has them. */
function progressOf(figures: Record<string, unknown>) {
  const { elapsed_ms, share, requests, iterations } = figures as {
    readonly elapsed_ms: number;
    readonly share: number | null;
    readonly requests: number;
    readonly iterations: {
      readonly completed: number;
      readonly failed: number;
    };
  };
  const { completed, failed } = iterations;
  // Of the seconds that the run takes, as far as it is known: a progress has to grow.
  const progress = elapsed_ms / 1_000;
  return {
    progress,
    ...(share && { total: progress / share }),
    message: `${completed} iterations, ${failed} failed, ${requests} requests`,
  };
}
