import { describe, expect, it } from 'vitest';
import {
  type CodeRow,
  codeTable,
  isReceiveValue,
  isSendValue,
  scaipTable,
} from '#shared/alarm-event/index.ts';

const row = (code: string, part: Partial<CodeRow> = {}): CodeRow => ({
  code,
  key: `key${code}`,
  meaning: '',
  receive: null,
  send: null,
  basis: 'exact',
  ...part,
});

describe('a table of numbers', () => {
  const table = codeTable([row('0010', { receive: 'alarm', send: '*|alarm|alert' }), row('0000')], {
    compare: 'integer',
  });

  it.each(['10', '010', '0010', '00010'])('finds %s', (code) => {
    expect(table.lookup(code)?.code).toBe('0010');
  });
  it.each(['0', '000'])('finds %s as zero', (code) => {
    expect(table.lookup(code)?.code).toBe('0000');
  });
  it.each(['', 'ABC', '1.0', '-10', '1e1', ' 10', '9999'])('does not find "%s"', (code) => {
    expect(table.lookup(code)).toBeUndefined();
    expect(table.coded(code)).toEqual({ native: code, send: null, receive: null });
  });
  it('codes a value by the first send word that is a word', () => {
    expect(table.coded('10')).toEqual({ native: '10', send: 'alarm', receive: 'alarm' });
  });
  it('finds the row to send for every word of the send column', () => {
    expect(table.rowFor('alert')?.code).toBe('0010');
    expect(table.rowFor('*')).toBeUndefined();
  });
});

describe('a table of texts', () => {
  it('compares as it stands', () => {
    const table = codeTable([row('BA')], { compare: 'text' });
    expect(table.lookup('BA')).toBeDefined();
    expect(table.lookup('ba')).toBeUndefined();
  });
  it('lets a later row replace an earlier one, also for sending', () => {
    const rows = [row('BA', { send: 'alarm' }), row('BA', { send: 'tamper', key: 'own' })];
    const table = codeTable(rows, { compare: 'text' });
    expect(table.rows).toHaveLength(1);
    expect(table.lookup('BA')?.key).toBe('own');
    expect(table.rowFor('alarm')).toBeUndefined();
  });
});

describe('the SCAIP tables', () => {
  it.each([
    ['dty', 52, 4],
    ['stc', 128, 4],
    ['lco', 53, 3],
    ['dco', 30, 3],
  ] as const)('%s has %i codes without a gap, %i digits wide', (name, size, width) => {
    const codes = scaipTable[name].rows.map(({ code }) => code);
    expect(codes).toEqual(Array.from({ length: size }, (_, code) => String(code).padStart(width, '0')));
  });

  const field = { dty: 'deviceType', stc: 'statusCode', lco: 'location', dco: 'deviceComponent' } as const;
  it.each(['dty', 'stc', 'lco', 'dco'] as const)('%s only says words of the lists', (name) => {
    for (const { receive, send, receiveStatusCode } of scaipTable[name].rows) {
      if (receive !== null) expect(isReceiveValue(field[name], receive), receive).toBe(true);
      for (const word of send?.split('|') ?? []) expect(isSendValue(field[name], word), word).toBe(true);
      if (receiveStatusCode) expect(isReceiveValue('statusCode', receiveStatusCode)).toBe(true);
    }
  });

  it.each([
    ['dty', '27', 'bogusCallerSwitch', 'bogusCallerSwitch'],
    ['dty', '0002', 'heartbeat', 'localUnit'],
    ['dty', '0046', 'elevator', 'localUnit'],
    ['stc', '16', 'lowBattery', 'lowBattery'],
    ['stc', '0019', 'cancel', 'cleared'],
    ['stc', '0092', 'resetAutomatic', 'cleared'],
    ['lco', '042', 'hallwayDownstairs', 'hall'],
    ['dco', '17', 'automatic1', 'automatic1'],
  ] as const)('%s %s', (name, native, send, receive) => {
    expect(scaipTable[name].coded(native)).toEqual({ native, send, receive });
  });
});
