import type { Protocol } from "../protocol.ts";
import { type WsBlock, wsBlock } from "./block.ts";
import { formatSubject } from "../../language/expressions/assertion.ts";
import { meantPath } from "../../language/expressions/meant_path.ts";
import type { Report } from "../../base/text/diagnostic.ts";
import { oddPayload } from "../http/body_warnings.ts";
import { didYouMean } from "../../base/text/suggest.ts";
import { TOKEN } from "../../base/values/headers.ts";
import { child } from "../../base/values/json.ts";
import type { KindStep } from "../../language/flow/registry.ts";

/** Opens a WebSocket session, sends a JSON frame on it, receives one (RFC 6455). */
export const ws: Protocol<WsBlock> = {
  kind: "ws",
  doc: "a WebSocket session: open it, send a frame, receive one",
  block: wsBlock,
  sharedKey: { key: "session", madeBy: ["url", "endpoint"] },
  keys: ["extract", "assert", "throttle", "auth", "timeout"],
  instead: { query: "the query is a part of `url`: `url: /chat?room=7`" },
  requests: true,
  sends: (block) => block.url !== undefined || block.send !== undefined,
  waitsUs: (block) => [0, block.receive?.timeout_us ?? 0],
  authorizes: (block) => block.url !== undefined,
  evidence: (block) => ({
    status: false,
    headers: false,
    body: block.receive !== undefined,
    ...(block.url !== undefined && {
      hint:
        "a handshake that is not accepted with 101 fails its step by itself",
    }),
  }),
  suggest: (path) => path[1] === "match" ? { subjects: ["$..."] } : {},
  facts: ({ session = "" }) => ({ session }),
  reserves: reservedInHandshake,
  checkFlow: checkWsSteps,
  async open(block, tools) {
    // Loaded by flows that need it.
    const { openWs } = await import("./attempt.ts");
    return openWs(block, tools);
  },
};

/** Whether the handshake itself writes the header field `name`. */
function reservedInHandshake(name: string): boolean {
  return /^sec-websocket-/i.test(name);
}

type WsStep = KindStep<WsBlock>;

/**
 * The rules of `ws` steps that the form alone cannot hold: who opens a session
 * and who joins it, and what goes only with opening.
 */
function checkWsSteps(steps: readonly WsStep[], report: Report): void {
  const openers = new Map<string, WsStep>();
  for (const each of steps) {
    if (isMisspelt(each, "url")) openers.set(sessionName(each), each);
    else if (each.block.url === undefined) {
      checkJoining(each, steps, openers, report);
    } else {
      checkOpening(each, openers, report);
    }
    checkMatch(each, report);
    const odd = oddPayload(each.block.send);
    if (odd) report({ ...odd, at: `${each.pointer}/block/send` });
  }
}

/** A key was meant that the block does not have: what follows from that would be noise. */
function isMisspelt({ block, isSound }: WsStep, key: keyof WsBlock): boolean {
  return block[key] === undefined && !isSound(key);
}

function sessionName({ block }: WsStep): string {
  return block.session ?? "";
}

function sessionText(name: string): string {
  return name === "" ? "the unnamed session" : `the session \`${name}\``;
}

function checkOpening(
  each: WsStep,
  openers: Map<string, WsStep>,
  report: Report,
): void {
  const { block, pointer } = each;
  const name = sessionName(each);
  const before = openers.get(name);
  if (before) {
    report({
      at: `${pointer}/block/url`,
      code: "session-reopened",
      message: `${
        sessionText(name)
      } is open already: step \`${before.step.id}\` opened it, and it lives until the iteration ends`,
      hint:
        "to use it, leave `url` out; for another one, give it a `session` name of its own",
    });
  } else openers.set(name, each);
  for (const header of Object.keys(block.headers ?? {})) {
    if (!reservedInHandshake(header)) continue;
    report({
      at: {
        pointer: child(`${pointer}/block/headers`, header),
        key: header,
      },
      code: "framing-header",
      message:
        `\`${header}\` cannot be declared: the engine writes the handshake`,
      hint: /-protocol$/i.test(header)
        ? "name subprotocols under `subprotocols`"
        : "remove the header",
    });
  }
  checkSubprotocols(each, report);
}

function checkSubprotocols({ block, pointer }: WsStep, report: Report): void {
  const seen = new Set<string>();
  for (const [index, name] of (block.subprotocols ?? []).entries()) {
    const at = `${pointer}/block/subprotocols/${index}`;
    if (!TOKEN.test(name)) {
      report({
        at,
        code: "bad-subprotocol",
        message:
          `"${name}" is not a subprotocol: only letters, digits and !#$%&'*+-.^_\`|~ are allowed in one`,
        hint: name.includes("{{")
          ? "`subprotocols` is not templated"
          : undefined,
      });
    } else if (seen.has(name)) {
      report({
        at,
        code: "bad-subprotocol",
        message: `the subprotocol \`${name}\` is offered twice`,
        hint: "keep one of them",
      });
    }
    seen.add(name);
  }
}

function checkJoining(
  each: WsStep,
  steps: readonly WsStep[],
  openers: ReadonlyMap<string, WsStep>,
  report: Report,
): void {
  const { step, block, pointer } = each;
  if (block.send === undefined && block.receive === undefined) {
    if (isMisspelt(each, "send") || isMisspelt(each, "receive")) return;
    report({
      at: `${pointer}/block`,
      code: "ws-idle",
      message:
        `step \`${step.id}\` does nothing: a \`ws\` step needs \`url\`, \`send\` or \`receive\``,
    });
    return;
  }
  const { headers, subprotocols } = block;
  const opening = { headers, subprotocols, auth: step.auth };
  for (const [key, value] of Object.entries(opening)) {
    if (value === undefined) continue;
    report({
      at: `${pointer}${key === "auth" ? "" : "/block"}/${key}`,
      code: "not-opening",
      message:
        `\`${key}\` goes with the handshake, but step \`${step.id}\` opens no session: it has no \`url\``,
      hint: `move \`${key}\` to the step that opens the session`,
    });
  }
  const name = sessionName(each);
  if (openers.has(name) || isMisspelt(each, "session")) return;
  report({
    at: name === "" ? `${pointer}/block` : `${pointer}/block/session`,
    code: "session-not-open",
    ...notOpen(name, steps, openers),
  });
}

function notOpen(
  name: string,
  steps: readonly WsStep[],
  openers: ReadonlyMap<string, WsStep>,
): { message: string; hint: string } {
  const later = steps.find((each) =>
    each.block.url !== undefined && sessionName(each) === name
  );
  if (later) {
    return {
      message: `${
        sessionText(name)
      } is not open here: only the later step \`${later.step.id}\` opens it`,
      hint: `move step \`${later.step.id}\` up`,
    };
  }
  const named = [...openers.keys()].filter((each) => each !== "");
  return {
    message: `no step opens ${sessionText(name)}`,
    hint: didYouMean(name, named) ??
      (openers.has("")
        ? "to join the unnamed session, leave `session` out"
        : named.length > 0
        ? `name the session to join: ${
          named.map((each) => `\`session: ${each}\``).join(", ")
        }`
        : "a `ws` step with a `url` opens one"),
  };
}

/** A filter looks at the frame and at nothing else. */
function checkMatch({ block, pointer }: WsStep, report: Report): void {
  for (const [index, { subject }] of (block.receive?.match ?? []).entries()) {
    if (subject.kind === "body") continue;
    const written = formatSubject(subject);
    const path = subject.kind === "variable" ? meantPath(written) : undefined;
    report({
      at: {
        pointer: `${pointer}/block/receive/match/${index}`,
        inside: written,
      },
      code: "match-subject",
      message:
        `\`match\` looks at the frame alone, but \`${written}\` is not a part of it`,
      hint: `use a JSON path into the frame, such as ${path ?? "$.type"}`,
    });
  }
}
