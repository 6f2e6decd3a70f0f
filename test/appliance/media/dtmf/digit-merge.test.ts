import { describe, expect, it } from 'vitest';
import { DigitMerge, type MergedDigit } from '#appliance/media/dtmf/index.ts';

/** Reported digits, one line each. */
function merged(negotiated: boolean, act: (merge: DigitMerge) => void): string[] {
  const detected: MergedDigit[] = [];
  act(new DigitMerge(negotiated, (digit) => detected.push(digit)));
  return detected.map((one) =>
    one.kind === 'begin'
      ? `${one.source} ${one.digit} from ${one.startMs}`
      : `${one.source} ${one.digit} ${one.startMs}+${one.durationMs}`,
  );
}
const begin = (digit: string, startMs: number) => ({ kind: 'begin', digit, startMs }) as const;
const end = (digit: string, startMs: number, durationMs: number) =>
  ({ kind: 'end', digit, startMs, durationMs }) as const;

describe('DigitMerge without telephone-event', () => {
  it('passes in-band digits through at once and ignores events', () => {
    const reported = merged(false, (merge) => {
      merge.inband(begin('5', 0));
      merge.event(begin('5', 10));
      merge.inband(end('5', 0, 80));
      merge.event(end('5', 10, 80));
    });
    expect(reported).toEqual(['inband 5 from 0', 'inband 5 0+80']);
  });
});

describe('DigitMerge with telephone-event', () => {
  it('hands events on at once', () => {
    const reported = merged(true, (merge) => {
      merge.event(begin('5', 0));
      merge.event(end('5', 0, 80));
    });
    expect(reported).toEqual(['event 5 from 0', 'event 5 0+80']);
  });

  it.each([
    { name: 'during the event', inbandMs: 40 },
    { name: 'just before it', inbandMs: -60 },
    { name: '99 ms after its end', inbandMs: 179 },
  ])('drops an in-band hit $name', ({ inbandMs }) => {
    const reported = merged(true, (merge) => {
      const hit = () => {
        merge.inband(begin('5', inbandMs));
        merge.tick(inbandMs + 20);
        merge.inband(end('5', inbandMs, 50));
      };
      if (inbandMs < 0) hit();
      merge.event(begin('5', 0));
      if (inbandMs > 0 && inbandMs < 80) hit();
      merge.event(end('5', 0, 80));
      if (inbandMs > 80) hit();
      merge.tick(1_000);
    });
    expect(reported).toEqual(['event 5 from 0', 'event 5 0+80']);
  });

  it('hands an in-band digit on after 100 ms without an event', () => {
    const reported = merged(true, (merge) => {
      merge.inband(begin('7', 500));
      merge.tick(599);
      merge.inband(end('7', 500, 60));
      merge.tick(600);
      merge.tick(620);
      merge.inband(begin('8', 700));
      merge.tick(800);
      merge.inband(end('8', 700, 300));
    });
    expect(reported).toEqual([
      'inband 7 from 500',
      'inband 7 500+60',
      'inband 8 from 700',
      'inband 8 700+300',
    ]);
  });

  it('keeps two in-band digits in order, equal ones apart', () => {
    const reported = merged(true, (merge) => {
      merge.inband(begin('1', 0));
      merge.inband(end('1', 0, 40));
      merge.inband(begin('1', 70));
      merge.tick(100);
      merge.inband(end('1', 70, 40));
      merge.tick(170);
    });
    expect(reported).toEqual(['inband 1 from 0', 'inband 1 0+40', 'inband 1 from 70', 'inband 1 70+40']);
  });

  it('makes one digit of a tone that a gateway turns into an event late', () => {
    const reported = merged(true, (merge) => {
      merge.inband(begin('4', 0));
      merge.tick(100);
      merge.event(begin('4', 140));
      merge.inband(end('4', 0, 130));
      merge.event(end('4', 140, 360));
      merge.tick(600);
    });
    expect(reported).toEqual(['inband 4 from 0', 'event 4 0+500']);
  });

  it('ends another in-band digit where the event begins', () => {
    const reported = merged(true, (merge) => {
      merge.inband(begin('4', 0));
      merge.tick(100);
      merge.event(begin('9', 150));
      merge.inband(end('4', 0, 140));
      merge.event(end('9', 150, 80));
    });
    expect(reported).toEqual(['inband 4 from 0', 'inband 4 0+150', 'event 9 from 150', 'event 9 150+80']);
  });

  it('reports an in-band digit that ended long before the event, although it was still held', () => {
    const reported = merged(true, (merge) => {
      merge.inband(begin('1', 0));
      merge.inband(end('1', 0, 45));
      merge.event(begin('2', 160));
      merge.event(end('2', 160, 80));
    });
    expect(reported).toEqual(['inband 1 from 0', 'inband 1 0+45', 'event 2 from 160', 'event 2 160+80']);
  });

  it('hands on what it holds when telephone-event goes, and passes through from then on', () => {
    const reported = merged(true, (merge) => {
      merge.inband(begin('3', 0));
      merge.negotiate(false);
      merge.inband(end('3', 0, 80));
      merge.inband(begin('4', 160));
      merge.inband(end('4', 160, 80));
    });
    expect(reported).toEqual(['inband 3 from 0', 'inband 3 0+80', 'inband 4 from 160', 'inband 4 160+80']);
  });
});
