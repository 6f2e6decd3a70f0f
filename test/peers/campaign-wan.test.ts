import { test } from 'vitest';
import { keepsItsPromises } from './support/campaign.ts';

// Most of it is the appliance's patience with a cloud that is gone.
test('campaign wan keeps every promise', () => keepsItsPromises('wan'));
