import { ok, type Result } from '../result.ts';
import type { RuleCondition, RuleLiteral } from './event-rule.ts';
import { compilePattern, type PatternFailure } from './pattern.ts';

export type Condition = (value: unknown) => boolean;

/**
 * Compiles the right side of a `when`: a literal holds by equality of value and type, `/RE2/` by a find in the
 * value written as text, null for an absent value, a list when one of its entries holds.
 */
export function compileCondition(condition: RuleCondition): Result<Condition, PatternFailure> {
  const tests: Condition[] = [];
  for (const entry of isList(condition) ? condition : [condition]) {
    const test = compileLiteral(entry);
    if (!test.ok) return test;
    tests.push(test.value);
  }
  return ok((value) => tests.some((test) => test(value)));
}

function compileLiteral(literal: RuleLiteral): Result<Condition, PatternFailure> {
  if (literal === null) return ok((value) => value === undefined || value === null);
  if (typeof literal !== 'string' || !/^\/.+\/$/s.test(literal)) return ok((value) => value === literal);
  const pattern = compilePattern(literal.slice(1, -1));
  if (!pattern.ok) return pattern;
  return ok((value) => {
    const written = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
    return typeof written === 'string' && pattern.value.test(written);
  });
}

function isList(condition: RuleCondition): condition is readonly RuleLiteral[] {
  return Array.isArray(condition);
}
