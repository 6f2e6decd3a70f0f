import { test } from 'vitest';
import { keepsItsPromises, LAST_WORDS_MS } from '../support/campaign.ts';

const WITHIN_MS = 300_000;

// It judges time.
test('campaign flood keeps every promise', { timeout: WITHIN_MS + LAST_WORDS_MS }, () =>
  keepsItsPromises('flood', WITHIN_MS),
);
