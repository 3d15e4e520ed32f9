// @ts-types="@modelcontextprotocol/sdk/client"
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
// @ts-types="@modelcontextprotocol/sdk/client/stdio"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { programCommand, programEnvironment } from "./program.ts";

/** The result of a call of a tool. */
export interface ToolResult {
  readonly text: string;
  // deno-lint-ignore no-explicit-any -- tests look into it
  readonly data: any;
  readonly failed: boolean;
}

interface AgentOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The options of a call. */
type CallOptions = Parameters<Client["callTool"]>[2];

/** An agent: the client of the protocol's own library, with `bench mcp` as its child. */
export class Agent implements AsyncDisposable {
  readonly client: Client = new Client({ name: "tests", version: "1" });
  /** Everything that came back, as text. */
  readonly seen: string[] = [];

  static async start(
    folder: string,
    { args = [], env = {} }: AgentOptions = {},
  ): Promise<Agent> {
    const [command, ...words] = programCommand("bench");
    const agent = new Agent();
    await agent.client.connect(
      new StdioClientTransport({
        command,
        args: [...words, "mcp", folder, ...args],
        env: { ...programEnvironment(), ...env },
        cwd: folder,
        stderr: "ignore",
      }),
    );
    return agent;
  }

  async call(
    name: string,
    given: Record<string, unknown>,
    options?: CallOptions,
  ): Promise<ToolResult> {
    const params = { name, arguments: given };
    const result = await this.client.callTool(params, undefined, options);
    this.seen.push(JSON.stringify(result));
    const [first] = result.content as { text: string }[];
    return {
      text: first!.text,
      data: result.structuredContent,
      failed: result.isError === true,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
  }
}
