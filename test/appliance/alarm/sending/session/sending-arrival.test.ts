import { describe, expect, it } from 'vitest';
import type { ActiveSending } from '#appliance/alarm/sending/session/active-sending.ts';
import { SendingArrivals } from '#appliance/alarm/sending/session/sending-arrival.ts';
import { decodeBs8521 } from '#shared/alarm-event/index.ts';
import { orderOfUnit } from '../order/order-room.ts';

const SCHEME = '110012345678001301000000';
const fieldsOf = (digits: string) => {
  const read = decodeBs8521(digits);
  if (!read.ok) throw new Error(read.error.reason);
  return read.value;
};
const BS8521 = { kind: 'bs8521', fields: fieldsOf(SCHEME) };
const NOWIP = { kind: 'nowip', form: { type: '1', data: SCHEME } };
const ALONE = { kind: 'bs8521', fields: fieldsOf('010012345678000001001000') };

/** Sessions of events from `unit`, each in its phase; what they are asked to take is written down. */
function room(...sessions: readonly { id: string; phase: string; form?: object; isReached?: boolean }[]) {
  const cases = new Map<string, ActiveSending>();
  for (const { id, phase, form = BS8521, isReached } of sessions)
    cases.set(id, {
      facts: { sessionId: id, order: orderOfUnit() },
      target: { addresses: { primary: { destination: 'arc', from: { user: 'Controller', host: 'x' } } } },
      form,
      session: { phase, way: 'primary' },
      attempt: { isReached },
    } as unknown as ActiveSending);
  const done: string[] = [];
  const arrivals = new SendingArrivals(cases, (id) => void done.push(`called ${id}`));
  return { arrivals, done };
}

describe('a centre that calls the controller of a scheme', () => {
  it.each([
    ['pausing', undefined, true],
    ['attempting', false, true],
    ['attempting', true, false],
    ['queued', undefined, false],
    ['over', undefined, false],
  ])('at an event that is %s, its receiver reached: %s', (phase, isReached, waits) => {
    const { arrivals } = room({ id: 'a', phase, ...(isReached !== undefined && { isReached }) });
    expect(arrivals.awaited('controller')).toBe(waits ? 'a' : undefined);
  });

  it('is known by the numbers that the event comes from, without their case', () => {
    const { arrivals } = room({ id: 'a', phase: 'pausing' });
    expect(['CONTROLLER', 'unit', 'other'].map((number) => arrivals.awaited(number))).toEqual([
      'a',
      'a',
      undefined,
    ]);
  });

  it('waits for no unit that stands alone', () => {
    expect(room({ id: 'a', phase: 'pausing', form: ALONE }).arrivals.awaited('controller')).toBeUndefined();
  });

  it('learns by NOW-IP which units wait', () => {
    const { arrivals } = room(
      { id: 'a', phase: 'pausing', form: NOWIP },
      { id: 'b', phase: 'queued', form: NOWIP },
      { id: 'c', phase: 'pausing' },
    );
    expect(arrivals.units('controller')).toEqual([{ id: 'a', fields: fieldsOf(SCHEME), selected: false }]);
  });

  it('that asks without a call has the first event that pauses sent at once', () => {
    const { arrivals, done } = room(
      { id: 'a', phase: 'attempting' },
      { id: 'b', phase: 'pausing' },
      { id: 'c', phase: 'pausing' },
    );
    arrivals.asked('controller');
    expect(done).toEqual(['called b']);
  });
});

describe('a call that has arrived', () => {
  const call = (done: string[]) =>
    ({
      input: ({ kind, status }: { kind: string; status: number }) => void done.push(`${kind} ${status}`),
    }) as never;

  it('is taken by its session, once', () => {
    const { arrivals, done } = room({ id: 'a', phase: 'pausing' });
    let then: (() => void) | undefined;
    const arrived = call(done);
    arrivals.arrived('a', arrived, (work) => {
      then = work;
    });
    expect(done).toEqual(['called a']);
    expect([arrivals.take('a'), arrivals.take('a')]).toEqual([arrived, undefined]);
    then?.();
    expect(done).toEqual(['called a']);
  });

  it('is refused when its session does not take it', () => {
    const { arrivals, done } = room({ id: 'a', phase: 'pausing' });
    arrivals.arrived('a', call(done), (work) => work());
    expect(done).toEqual(['called a', 'refuse 480']);
  });
});
