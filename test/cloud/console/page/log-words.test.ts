import '../english.ts';
import { i18n } from '@lingui/core';
import { describe, expect, it } from 'vitest';
import { readable } from '#cloud/console/component/wording/readable.ts';
import { eventTitle, isOver } from '#cloud/console/page/log/log-words.ts';
import { SERVICE_ALARM_ERRORS } from '#shared/contract/callback/index.ts';

const said = (type: string, error?: unknown, errorDetails?: unknown) => {
  const { title, error: reason } = eventTitle(type, { error, errorDetails });
  return [title, reason].map((words) => words && i18n._(words));
};

describe('the title of an event of a host', () => {
  it('is the sentence of its error, before that of its type', () => {
    expect(said('monitoringAlarm', 'serviceFailure')).toEqual([
      'A service of a host stopped working',
      undefined,
    ]);
    expect(said('alarmQueued')).toEqual(['An alarm waits in the alarm queue', undefined]);
  });

  it('says beside that of the type why a configuration or a device needs a person', () => {
    expect(said('serviceAlarm', 'emergencyUnanswered')).toEqual([
      'A configuration or a device needs a person',
      'No person answered an emergency',
    ]);
    for (const error of SERVICE_ALARM_ERRORS)
      expect(said('serviceAlarm', error).filter((words) => words === readable(error))).toEqual([]);
  });

  it('does not say of an application that refuses callbacks that a service of the host stopped', () => {
    expect(said('monitoringAlarm', 'serviceFailure', { service: 'cb 01k' })).toEqual([
      'An application did not accept a callback',
      undefined,
    ]);
  });

  it('names an error of a later release', () => {
    expect(said('serviceAlarm', 'moonRose')).toEqual([
      'A configuration or a device needs a person',
      'Moon rose',
    ]);
  });

  it('repeats no sentence of a host, and nothing that its type says already', () => {
    expect(said('callbackFailed', 'the endpoint answered 500')).toEqual([
      'An application did not accept a callback',
      undefined,
    ]);
    expect(said('callbackFailed', 'callbackFailed')).toEqual([
      'An application did not accept a callback',
      undefined,
    ]);
  });

  it('is undefined for an event of a later release', () => {
    expect(said('moonRose')).toEqual([undefined, undefined]);
  });
});

describe('an alarm in the log', () => {
  it('is over where the host says so', () => {
    expect(isOver({ error: 'lowMemory', errorDetails: { status: 'cleared' } })).toBe(true);
    expect(isOver({ status: 'cleared' })).toBe(true);
  });

  it('stands as long as it does not', () => {
    expect(isOver({ error: 'lowMemory', errorDetails: { status: 'raised' } })).toBe(false);
    expect(isOver({ statusCode: 'cleared' })).toBe(false);
  });
});
