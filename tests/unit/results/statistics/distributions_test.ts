import assert from "node:assert/strict";
import {
  normalQuantile,
  shareBounds,
  studentQuantile,
} from "../../../../lib/results/statistics/distributions.ts";

function near(actual: number, expected: number, error = 1e-6): void {
  assert.ok(Math.abs(actual - expected) < error, `${actual} ${expected}`);
}

// Expected values: scipy.stats 1.16, ppf.
Deno.test("quantiles of the normal, Student's and the beta distribution agree with scipy", () => {
  near(normalQuantile(0.975), 1.959963984540054);
  near(studentQuantile(0.975, 6), 2.4469118511449786);
  near(studentQuantile(0.9995, 3), 12.923978636687961, 1e-4);
  near(studentQuantile(0.975, 1), 12.706204736174694, 1e-4);
  near(studentQuantile(0.975, 2.5), 3.5746548420036817);
  near(shareBounds(0.945, 100, 0.95).low, 0.8871650888945373);
  near(shareBounds(9_500 / 10_000.2, 10_000.2, 0.95).high, 0.954123829312807);
});

Deno.test("studentQuantile of very many degrees of freedom is the normal one", () => {
  near(studentQuantile(0.99, 1e9), normalQuantile(0.99));
  near(studentQuantile(0.975, 9_999), normalQuantile(0.975), 3e-4);
});
