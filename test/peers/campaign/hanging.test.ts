import { test } from 'vitest';
import { keepsItsPromises, LAST_WORDS_MS } from '../support/campaign.ts';

const WITHIN_MS = 300_000;

// Most of it is waiting.
test.each(['frozen', 'clock'])(
  'campaign %s keeps every promise',
  { timeout: WITHIN_MS + LAST_WORDS_MS },
  (name) => keepsItsPromises(name, WITHIN_MS),
);
