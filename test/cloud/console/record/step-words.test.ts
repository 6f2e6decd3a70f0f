import '../english.ts';
import { i18n } from '@lingui/core';
import { describe, expect, it } from 'vitest';
import type { Step } from '#cloud/console/component/trace/lane.ts';
import { detailOf } from '#cloud/console/page/record/step-words.ts';

const said = (kind: string, detail: Step['detail']): string =>
  detailOf({ at: 0, hostId: 'gw-1', party: 'host', direction: 'own', kind, detail }, [], (words) =>
    i18n._(words),
  );

describe('the facts of a step', () => {
  it('stand on one line behind their names, with their units', () => {
    expect(said('stored', { eventId: '01k', tookMs: 6.73 })).toBe('event id 01k · 6.7 ms');
    expect(said('promptPlayed', { fileName: 'hello.wav', levelDbm0: -7 })).toBe(
      'file hello.wav · level -7 dBm0',
    );
  });

  it('have no name where the heading says it, and are left out where they are not so', () => {
    expect(said('callbackSent', { url: 'https://app', attempt: 1, late: false })).toBe(
      'https://app · attempt 1',
    );
    expect(said('sipAnswered', { status: 200, reason: 'OK', callId: 'x' })).toBe('200 · OK');
  });

  it('are a name alone where they are so', () => {
    expect(said('callbackSent', { attempt: 2, late: true })).toBe('attempt 2 · late');
  });

  it('name the event as people say it, and what the console does not know as the trace spells it', () => {
    expect(said('eventUnderstood', { statusCode: 'alarmManual', moonPhase: 'full' })).toBe(
      'status Alarm by hand · moon phase full',
    );
  });
});
