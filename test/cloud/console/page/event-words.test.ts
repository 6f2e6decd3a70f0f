import '../english.ts';
import { i18n } from '@lingui/core';
import { expect, it } from 'vitest';
import { EVENT_WORDS, eventWord } from '#cloud/console/component/wording/event-words.ts';
import { RECEIVE_LIST, SEND_LIST } from '#shared/alarm-event/index.ts';

const values = new Set<string>(
  [RECEIVE_LIST, SEND_LIST].flatMap(({ deviceType, statusCode, location }) => [
    ...deviceType,
    ...statusCode,
    ...location,
  ]),
);

it('every kind of device, status and place of an event has its words, and the words no other', () => {
  expect(values.size).toBeGreaterThan(100);
  expect([...values].filter((value) => EVENT_WORDS[value] === undefined)).toEqual([]);
  expect(Object.keys(EVENT_WORDS).filter((value) => !values.has(value))).toEqual([]);
});

it('a word of a later release stays, readable', () => {
  const say = (sentence: (typeof EVENT_WORDS)[string] & object) => i18n._(sentence);
  expect(eventWord('lowBattery', say)).toBe('Low battery');
  expect(eventWord('windowSensor', say)).toBe('Window sensor');
});
