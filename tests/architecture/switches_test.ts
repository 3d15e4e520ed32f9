import { deepStrictEqual, ok } from "node:assert/strict";
import { sources, textOf } from "./program.ts";

type Node = Deno.lint.Node;

/** The function that a node is in. */
function functionOf(node: Node): Node {
  let up = node;
  while (!/Function|Program/.test(up.type)) {
    up = (up as { parent: Node }).parent;
  }
  return up;
}

/** Each switch over words of ours: over a property, or one that says nothing of the rest. */
const switches: Deno.lint.Plugin = {
  name: "switches",
  rules: {
    all: {
      create(context) {
        const text = (node: Node | null | undefined) =>
          node ? context.sourceCode.getText(node) : "";
        return {
          SwitchStatement(node) {
            const { discriminant, cases } = node;
            const words = cases.some(({ test }) =>
              test?.type === "Literal" && typeof test.value === "string"
            );
            const ours = discriminant.type === "MemberExpression" &&
              !discriminant.computed;
            const rest = cases.find(({ test }) => test === null);
            if (!words || rest && !ours) return;
            const { returnType } = functionOf(node) as {
              returnType?: Node;
            };
            // The compiler misses a word only where a value has to come.
            const isChecked = rest
              ? /satisfies never/.test(text(rest))
              : /^:(?!.*\b(?:void|undefined|unknown|any)\b)/s
                .test(text(returnType).replace(/<.*>/s, ""));
            context.report({ node, message: isChecked ? "checked" : "open" });
          },
        };
      },
    },
  },
};

Deno.test("a switch over a word of ours leaves none out: the compiler names the one that is new", () => {
  const all = sources().flatMap((path) =>
    Deno.lint.runPlugin(switches, path, textOf(path)).map((
      { message, range },
    ) => ({
      at: `${path}:${textOf(path).slice(0, range[0]).split("\n").length}`,
      message,
    }))
  );
  ok(all.length > 20, `the scan found ${all.length} of them`);
  deepStrictEqual(
    all.filter(({ message }) => message !== "checked").map(({ at }) => at),
    [],
  );
});
