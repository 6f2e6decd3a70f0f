import { ok, type Result } from '../result.ts';
import type { RuleCondition, RuleLiteral } from './event-rule.ts';
import type { MapBudget } from './map-budget.ts';
import { compilePattern, type PatternFailure } from './pattern.ts';

export type Condition = (value: unknown) => boolean;

/**
 * Compiles the right side of a `when`: a literal holds by equality of value and type, `/RE2/` by a find in the
 * value written as text, null for an absent value, a list when one of its entries holds.
 */
export function compileCondition(
  condition: RuleCondition,
  budget: MapBudget,
): Result<Condition, PatternFailure> {
  const tests: Condition[] = [];
  for (const entry of isList(condition) ? condition : [condition]) {
    const test = compileLiteral(entry, budget);
    if (!test.ok) return test;
    tests.push(test.value);
  }
  return ok((value) => tests.some((test) => test(value)));
}

function compileLiteral(literal: RuleLiteral, budget: MapBudget): Result<Condition, PatternFailure> {
  if (literal === null) return ok((value) => value === undefined || value === null);
  if (typeof literal !== 'string' || !/^\/.+\/$/s.test(literal)) return ok((value) => value === literal);
  const pattern = compilePattern(literal.slice(1, -1));
  if (!pattern.ok) return pattern;
  const room = budget.pattern(pattern.value.instructions);
  if (!room.ok) return { ok: false, error: { ...room.error, position: 0 } };
  return ok((value) => {
    const written = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
    return typeof written === 'string' && pattern.value.test(written);
  });
}

function isList(condition: RuleCondition): condition is readonly RuleLiteral[] {
  return Array.isArray(condition);
}
