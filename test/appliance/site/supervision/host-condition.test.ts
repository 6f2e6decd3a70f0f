import { describe, expect, it } from 'vitest';
import type { ConditionEvent } from '#appliance/site/index.ts';
import { HostConditions, overrideEffect } from '#appliance/site/supervision/index.ts';

const event = (status: ConditionEvent['status'], error = 'diskPressure'): ConditionEvent =>
  ({ error, service: '', status, severity: 'major', message: 'full', since: 0 }) as unknown as ConditionEvent;

function host(isHost = true) {
  const reported: string[] = [];
  const logged: string[] = [];
  const conditions = new HostConditions({
    isHost: () => isHost,
    tell: ({ error, status }) => reported.push(`${error} ${status}`),
    log: (level, name) => void logged.push(`${level} ${name}`),
  });
  return { conditions, told: reported, logged };
}

describe('conditions of a host', () => {
  it('reach its tenant', () => {
    const { conditions, told: reported, logged } = host();
    conditions.changed(event('raised'));
    expect(reported).toEqual(['diskPressure raised']);
    expect(logged).toEqual([]);
  });

  it('reach no tenant where there is none', () => {
    const { conditions, told: reported } = host(false);
    conditions.changed(event('raised'));
    expect(reported).toEqual([]);
  });

  it('wait for the end of a test mode; the console sees them meanwhile', () => {
    const { conditions, told: reported, logged } = host();
    conditions.testMode(true);
    conditions.changed(event('raised'));
    expect(reported).toEqual([]);
    expect(logged).toEqual(['info condition.withheld']);
    conditions.testMode(false);
    expect(reported).toEqual(['diskPressure raised']);
  });
});

describe('an override', () => {
  it.each([
    ['logLevel', 'debug', { kind: 'logLevel', level: 'debug' }],
    ['logLevel', undefined, { kind: 'logLevel', level: undefined }],
    ['testMode', true, { kind: 'testMode', on: true }],
    ['testMode', undefined, { kind: 'testMode', on: false }],
    ['fallbackNumber', '112', { kind: 'fallbackNumber', number: '112' }],
    ['service:sip', 'paused', { kind: 'service', name: 'sip', paused: true }],
    ['service:sip', undefined, { kind: 'service', name: 'sip', paused: false }],
    ['network', {}, undefined],
  ])('%s = %o does %o', (key, value, effect) => {
    expect(overrideEffect(key, value)).toEqual(effect);
  });
});
