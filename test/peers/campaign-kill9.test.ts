import { test } from 'vitest';
import { keepsItsPromises, LAST_WORDS_MS } from './support/campaign.ts';

const WITHIN_MS = 500_000;

// The disk and a lossy network are waited for.
test.each(['kill9', 'loss'])(
  'campaign %s keeps every promise',
  { timeout: WITHIN_MS + LAST_WORDS_MS },
  (name) => keepsItsPromises(name, WITHIN_MS),
);
