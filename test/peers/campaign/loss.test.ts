import { test } from 'vitest';
import { keepsItsPromises, LAST_WORDS_MS } from '../support/campaign.ts';

const WITHIN_MS = 500_000;

// A lossy network is waited for.
test('campaign loss keeps every promise', { timeout: WITHIN_MS + LAST_WORDS_MS }, () =>
  keepsItsPromises('loss', WITHIN_MS),
);
