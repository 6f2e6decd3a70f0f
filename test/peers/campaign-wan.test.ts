import { test } from 'vitest';
import { keepsItsPromises, LAST_WORDS_MS } from './support/campaign.ts';

const WITHIN_MS = 300_000;

// Most of it is the appliance's patience with a cloud that does not answer.
test('campaign wan keeps every promise', { timeout: WITHIN_MS + LAST_WORDS_MS }, () =>
  keepsItsPromises('wan', WITHIN_MS),
);
