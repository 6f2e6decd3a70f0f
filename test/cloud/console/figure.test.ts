import './english.ts';
import { i18n } from '@lingui/core';
import { afterEach, describe, expect, it } from 'vitest';
import { offset } from '#cloud/console/component/trace/lane.ts';
import { decimal, MOMENT, percent } from '#cloud/console/component/wording/figure.ts';

const speak = (locale: string, ...regions: string[]) =>
  i18n.loadAndActivate({ locale, locales: [...regions, locale], messages: {} });

afterEach(() => speak('en'));

describe('figures of the console', () => {
  it('have the decimals of its language', () => {
    speak('de');
    expect([decimal(4.25, 1), decimal(1_234.5, 1), decimal(3, 2), offset(5_301)]).toEqual([
      '4,3',
      '1.234,5',
      '3,00',
      '5,30 s',
    ]);
    expect(percent(0.205, 1).replace(/\s/g, ' ')).toBe('20,5 %');
    speak('en');
    expect([decimal(4.25, 1), offset(5_301)]).toEqual(['4.3', '5.30 s']);
  });

  it('have the dates of the region where the browser speaks the language', () => {
    const at = Date.UTC(2026, 2, 4, 17, 5, 9);
    const shown = () => i18n.date(at, { ...MOMENT, timeZone: 'UTC' }).replace(/\s/g, ' ');
    speak('en', 'en-GB');
    expect(shown()).toBe('04/03/2026, 17:05:09');
    speak('en');
    expect(shown()).toBe('3/4/26, 5:05:09 PM');
    speak('de');
    expect(shown()).toBe('04.03.26, 17:05:09');
  });
});
