import { test } from 'vitest';
import { keepsItsPromises, LAST_WORDS_MS } from '../support/campaign.ts';

/** Alone: the power is cut before the kernel writes by itself, and a start that waits for the cores is too late for that. */
const WITHIN_MS = 300_000;

test('campaign powercut keeps every promise', { timeout: WITHIN_MS + LAST_WORDS_MS }, () =>
  keepsItsPromises('powercut', WITHIN_MS),
);
