import { test } from 'vitest';
import { keepsItsPromises, LAST_WORDS_MS } from './support/campaign.ts';

const WITHIN_MS = 500_000;

// The disk is waited for.
test('campaign kill9 keeps every promise', { timeout: WITHIN_MS + LAST_WORDS_MS }, () =>
  keepsItsPromises('kill9', WITHIN_MS),
);
