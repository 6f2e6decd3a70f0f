import { describe, expect, it } from 'vitest';
import {
  mediaServiceRequestSchema,
  mediaServiceResponseSchema,
  recordingServiceRequestSchema,
  recordingServiceResponseSchema,
} from '#shared/contract/provisioning/index.ts';
import {
  AUTHENTICATION,
  codecs,
  type FieldRow,
  fieldTable,
  https,
  MATCH,
  NAME,
  ORDER,
  refusalOf,
  TIMEOUT,
  tellsEveryField,
} from './field-table.ts';

const smallest = { name: 'Service', destinationMatch: '^ivr$', callbackBaseUrl: 'https://app.example/cb' };
const REACHED: readonly FieldRow[] = [NAME, MATCH, ORDER, https('callbackBaseUrl'), AUTHENTICATION, TIMEOUT];

describe('media service', () => {
  const rows: readonly FieldRow[] = [
    ...REACHED,
    ['emergencyDestination', ['112', 'sip:desk@arc.example'], [[''], ['a b'], [112]]],
    ['emergencyFallback', ['error'], [['never'], [''], ['always', '/emergencyDestination', 'mandatory']]],
    ['maxSessionDuration', [1, 86_400], [[0], [604_801], ['1'], [1.5]]],
    ['alarmPath', ['/alarm', '/a/b-c'], [['alarm'], ['/'], ['/a?b'], [''], ['https://a.example']]],
    ['fromDomain', ['care.example'], [['a b'], ['']]],
    codecs('codecs'),
  ];
  fieldTable(mediaServiceRequestSchema, smallest, rows);
  tellsEveryField(mediaServiceResponseSchema.shape, rows, ['id', 'sipAddress']);
  it('fills in the defaults, and ignores what only the service sets', () => {
    expect(mediaServiceRequestSchema.parse({ ...smallest, id: 'i', sipAddress: 'sip:i@a' })).toEqual({
      ...smallest,
      order: 1000,
      callbackTimeout: 15_000,
      emergencyFallback: 'error',
      maxSessionDuration: 86_400,
      codecs: ['PCMA', 'PCMU'],
    });
  });
  it('always calls the emergency destination when there is one', () => {
    const body = { ...smallest, emergencyFallback: 'always', emergencyDestination: '112' };
    expect(refusalOf(mediaServiceRequestSchema, body)).toBeUndefined();
  });
});

describe('recording service', () => {
  const rows: readonly FieldRow[] = [
    ...REACHED,
    ['retention', [1, 72, 8_760], [[0], [8_761], ['72'], [0.5]]],
  ];
  fieldTable(recordingServiceRequestSchema, smallest, rows);
  tellsEveryField(recordingServiceResponseSchema.shape, rows, ['id', 'sipAddress']);
  it('fills in the defaults', () => {
    expect(recordingServiceRequestSchema.parse(smallest)).toEqual({
      ...smallest,
      order: 1000,
      callbackTimeout: 15_000,
      retention: 72,
    });
  });
});
