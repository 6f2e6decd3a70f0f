import { expect, it } from 'vitest';
import { cloudSipUaRequestSchema, cloudSipUaResponseSchema } from '#shared/contract/provisioning/index.ts';
import {
  AUTHENTICATION,
  type FieldRow,
  fieldTable,
  flag,
  https,
  MATCH,
  NAME,
  ORDER,
  TIMEOUT,
  tellsEveryField,
  text,
} from './field-table.ts';

const smallest = {
  name: 'SecureListeners',
  destinationMatch: '^door-',
  callbackBaseUrl: 'https://app.example/cb',
};

const ROWS: readonly FieldRow[] = [
  NAME,
  MATCH,
  ORDER,
  https('callbackBaseUrl'),
  text('description'),
  AUTHENTICATION,
  flag('forceRtpRelay'),
  TIMEOUT,
  text('callbackName'),
  text('callbackDescription'),
  ['codecLimit', ['PCMA', 'PCMU'], [['GSM'], ['pcma'], ['']]],
];

fieldTable(cloudSipUaRequestSchema, smallest, ROWS);
tellsEveryField(cloudSipUaResponseSchema.shape, ROWS, ['id', 'callbackId']);

it('fills in the defaults, and ignores what only the service sets', () => {
  const given = { ...smallest, id: 'i', callbackId: 'c', success: true };
  expect(cloudSipUaRequestSchema.parse(given)).toEqual({
    ...smallest,
    order: 1000,
    forceRtpRelay: false,
    callbackTimeout: 15_000,
  });
});
