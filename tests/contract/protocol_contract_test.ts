import { deepStrictEqual } from "node:assert/strict";
import { protocols } from "../../lib/steps/registry.ts";
import { protocolContract } from "./protocol_contract.ts";
import type { ProtocolFixture } from "./protocol_fixture.ts";

const FIXTURE = /^(?!protocol_)(\w+)_fixture\.ts$/;

const fixtures = new Map<string, ProtocolFixture>();
for (const { name } of Deno.readDirSync(new URL(".", import.meta.url))) {
  const [, kind] = FIXTURE.exec(name) ?? [];
  if (kind === undefined) continue;
  const module: { fixture: ProtocolFixture } = await import(`./${name}`);
  fixtures.set(kind, module.fixture);
}

for (const fixture of fixtures.values()) {
  protocolContract(fixture);
  const { startHttp2 } = fixture;
  if (!startHttp2) continue;
  protocolContract({ ...fixture, start: startHttp2, http: "2" });
}

Deno.test("protocols: each one that makes requests has a fixture under its own name", () => {
  const requesting = [...protocols.values()].filter((each) => each.requests);
  deepStrictEqual(
    [...fixtures.keys()].sort(),
    requesting.map(({ kind }) => kind).sort(),
  );
  for (const [name, { kind }] of fixtures) deepStrictEqual(kind, name);
});
