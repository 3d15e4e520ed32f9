import type { jsonpath, JSONPathQuery } from "json-p3";

type Expressions = typeof jsonpath.expressions;
type Expression = InstanceType<Expressions["FilterExpression"]>;

/**
 * What json-p3 accepts and RFC 9535 (section 2.3.5.1) does not: a condition
 * compared with a value, such as `!@.a == 1`, and a negated value. Neither can
 * be what its author meant.
 *
 * @returns why the query is refused; undefined when it is not
 */
export function looseFilter(
  query: JSONPathQuery,
  { expressions, selectors }: Pick<
    typeof jsonpath,
    "expressions" | "selectors"
  >,
): string | undefined {
  for (const segment of query.segments) {
    for (const selector of segment.selectors) {
      if (!(selector instanceof selectors.FilterSelector)) continue;
      const why = loose(selector.expression);
      if (why !== undefined) return why;
    }
  }
  return undefined;

  function loose(expression: Expression): string | undefined {
    const {
      FilterExpressionLiteral,
      FilterQuery,
      FunctionExtension,
      InfixExpression,
      LogicalExpression,
      PrefixExpression,
    } = expressions;
    const each = (parts: readonly Expression[]) =>
      parts.map(loose).find((why) => why !== undefined);
    if (expression instanceof LogicalExpression) {
      return loose(expression.expression);
    }
    if (expression instanceof FilterQuery) {
      return looseFilter(expression.path, { expressions, selectors });
    }
    if (expression instanceof FunctionExtension) return each(expression.args);
    if (expression instanceof PrefixExpression) {
      return expression.right instanceof FilterExpressionLiteral
        ? "a value alone is no condition"
        : loose(expression.right);
    }
    if (!(expression instanceof InfixExpression)) return undefined;
    const sides = [expression.left, expression.right];
    const isCondition = (side: Expression) =>
      side instanceof PrefixExpression || side instanceof InfixExpression;
    return !expression.logical && sides.some(isCondition)
      ? "only single values can be compared"
      : each(sides);
  }
}
