import { test } from 'vitest';
import { keepsItsPromises } from './support/campaign.ts';

const WITHIN_MS = 400_000;

// The disk and a lossy network are waited for.
test.each(['kill9', 'loss'])('campaign %s keeps every promise', { timeout: WITHIN_MS }, keepsItsPromises);
