import { test } from 'vitest';
import { keepsItsPromises, LAST_WORDS_MS } from '../support/campaign.ts';

const WITHIN_MS = 300_000;

// Programs start again and again, and no time is judged.
test('campaign damage keeps every promise', { timeout: WITHIN_MS + LAST_WORDS_MS }, () =>
  keepsItsPromises('damage', WITHIN_MS),
);
