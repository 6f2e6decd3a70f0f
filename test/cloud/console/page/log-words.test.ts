import '../english.ts';
import { i18n } from '@lingui/core';
import { describe, expect, it } from 'vitest';
import { eventTitle } from '#cloud/console/page/log/log-words.ts';

const said = (type: string, error?: unknown) => {
  const { title, error: name } = eventTitle(type, error);
  return [title === undefined ? undefined : i18n._(title), name];
};

describe('the title of an event of a host', () => {
  it('is the sentence of its error, before that of its type', () => {
    expect(said('monitoringAlarm', 'serviceFailure')).toEqual([
      'A service of a host stopped working',
      undefined,
    ]);
    expect(said('alarmQueued')).toEqual(['An alarm waits in the alarm queue', undefined]);
  });

  it('names an error that has no sentence of its own beside that of the type', () => {
    expect(said('serviceAlarm', 'emergencyUnanswered')).toEqual([
      'A configuration or a device needs a person',
      'Emergency unanswered',
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
