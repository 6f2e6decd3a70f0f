import '../english.ts';
import { i18n } from '@lingui/core';
import { expect, it } from 'vitest';
import { actionName, entityName } from '#cloud/console/component/wording/audit-words.ts';

it.each([
  ['alarmbridge', 'patch', 'Alarm receiver: changed'],
  ['trunk', 'put provisory', 'Trunk: draft written'],
  ['device', 'delete many', 'Device: many deleted'],
  ['delivery', 'redeliver', 'Delivery: sent again'],
  // A later release has them: as the API spells them.
  ['lamp', 'switch on', 'lamp: switch on'],
])('the audit log says of %s and %s: %s', (entity, action, words) => {
  expect(`${i18n._(entityName(entity))}: ${i18n._(actionName(action))}`).toBe(words);
});
