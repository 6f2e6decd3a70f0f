import { describe, expect, it } from 'vitest';
import { encodeAtm, encodeCommand, type NowIpCommand } from '#appliance/alarm/protocol/nowip/index.ts';
import { IdleControllers } from '#appliance/alarm/sending/session/idle-controllers.ts';
import type { WaitingCall } from '#shared/alarm-event/index.ts';

const NUMBER = '5551234';
const CENTRE = '192.0.2.77';
type Known = { readonly form: { readonly kind: string }; readonly remote: string | undefined };
const NOWIP: Known = { form: { kind: 'nowip' }, remote: CENTRE };

/** One controller with this number; its attempts are written down. */
function room({ known = NOWIP as Known | undefined, waiting = 0 } = {}) {
  const done: string[] = [];
  const ends: (() => void)[] = [];
  const at = { known, units: Array.from({ length: waiting }, () => ({}) as WaitingCall) };
  const idle = new IdleControllers(
    { random: (n: number) => new Uint8Array(n), traceMs: () => 0, inflate: () => undefined } as never,
    {
      calls: { turn: (work) => work() },
      turn: (work) => work(),
      attempts: {
        make: ({ id }, user, arrived, units) => {
          done.push(`make ${id}${arrived === undefined ? '' : ' in its call'}, ${units?.length} wait`);
          ends.push(() => user.done());
          return {
            begin: () => done.push('begin'),
            onMessage: ({ type }: { readonly type: string }) => done.push(`heard ${type}`),
            abandon: () => done.push('abandon'),
          } as never;
        },
      },
      controllers: {
        has: (number) => number === NUMBER,
        find: (number) => (number === NUMBER ? (at.known as never) : undefined),
      },
      arrivals: { asked: () => void done.push('asked'), units: () => at.units },
    },
  );
  const call = {
    trace: { add: () => undefined },
    input: ({ kind, status }: { kind: string; status: number }) => done.push(`${kind} ${status}`),
  };
  return {
    idle,
    at,
    done,
    call: call as never,
    ends,
    lineOver: () => ends.at(-1)?.(),
    /** A message of the centre to the controller. */
    take: (body: string | Uint8Array, { to = NUMBER, from = CENTRE as string | undefined } = {}) =>
      idle.take(
        {
          to: { uriText: `sip:${to}@care.example` },
          body: Buffer.from(body),
          header: () => undefined,
        } as never,
        from,
      ),
  };
}

const atm = (type: string, data = '') =>
  encodeAtm({ version: '2', type, data, time: 't', mac: 'm' } as never);

describe('a centre that calls a controller for which nothing waits', () => {
  it('is answered in its call', () => {
    const { idle, call, done } = room();
    const name = idle.called(NUMBER);
    expect(name).toBeDefined();
    expect(idle.called('999')).toBeUndefined();
    expect(idle.arrived(name ?? '', call)).toBe(true);
    expect(done).toEqual(['make idle 1 in its call, 0 wait', 'begin']);
  });

  it('is refused when the event sender was removed meanwhile', () => {
    const { idle, at, call, done } = room();
    const name = idle.called(NUMBER) ?? '';
    at.known = undefined;
    expect([idle.arrived(name, call), done]).toEqual([true, ['refuse 480']]);
  });

  it('leaves calls of sessions alone', () => {
    const { idle, call, done } = room();
    expect([idle.arrived('session', call), done]).toEqual([false, []]);
  });
});

describe('a message of a centre', () => {
  const command = (one: NowIpCommand) => {
    const { type, data } = encodeCommand(one);
    return atm(type, data);
  };
  const SPEAK = command({ kind: 'speak' });
  const SELECT = command({ kind: 'selectUnit', unitId: '0007' });
  const NEXT = command({ kind: 'nextOutstanding' });
  const ANSWERED = 'heard 2, abandon';

  it.each([
    ['no controller of ours', SPEAK, { to: '999' }],
    ['from another address', SPEAK, { from: '192.0.2.1' }],
    ['unreadable', 'garbage', {}],
    ['an answer, not a command', atm('A'), {}],
  ])('is not ours: %s', (_name, body, from) => {
    const { take, done } = room();
    expect([take(body, from), done]).toEqual([false, []]);
  });

  it.each([
    ['another protocol', { form: { kind: 'bs8521' }, remote: CENTRE }],
    ['an event sender that was removed', undefined],
  ])('is not ours: %s', (_name, known) => {
    const at = room();
    at.at.known = known;
    expect([at.take(SPEAK), at.done]).toEqual([false, []]);
  });

  it('is answered without a call, and forgotten; a sender that has proven itself may be anywhere', () => {
    const { take, done } = room();
    expect([take(SPEAK), done.join(', ')]).toEqual([true, `make asked 1, 0 wait, ${ANSWERED}`]);
    const message = { to: { uriText: `sip:${NUMBER}@x` }, body: Buffer.from(SPEAK), header: () => undefined };
    const proven = room();
    expect(proven.idle.take(message as never)).toBe(true);
  });

  it.each([
    ['selectUnit', SELECT, false, ''],
    ['nextOutstanding', NEXT, true, `make asked 1, 1 wait, ${ANSWERED}, asked`],
    ['speak', SPEAK, true, `make asked 1, 1 wait, ${ANSWERED}`],
  ] as const)('while a unit waits: %s', (_name, body, isOurs, effects) => {
    const { take, done } = room({ waiting: 1 });
    expect([take(body), done.join(', ')]).toEqual([isOurs, effects]);
  });

  it.each([
    ['selectUnit', SELECT],
    ['nextOutstanding', NEXT],
  ] as const)('without one that waits: %s is answered, and wakes no controller', (_name, body) => {
    const { take, done } = room();
    expect([take(body), done.join(', ')]).toEqual([true, `make asked 1, 0 wait, ${ANSWERED}`]);
  });

  it('in the call of its centre is said there, until that call is over', () => {
    const { idle, call, take, done, lineOver } = room();
    idle.arrived(idle.called(NUMBER) ?? '', call);
    done.length = 0;
    expect([take(SPEAK), done]).toEqual([true, ['heard 2']]);
    lineOver();
    done.length = 0;
    expect([take(SPEAK), done.join(', ')]).toEqual([true, `make asked 2, 0 wait, ${ANSWERED}`]);
  });

  it('in the later of two calls: the end of the first one changes nothing', () => {
    const { idle, call, take, done, ends } = room();
    idle.arrived(idle.called(NUMBER) ?? '', call);
    const [firstOver] = ends;
    idle.arrived(idle.called(NUMBER) ?? '', call);
    firstOver?.();
    done.length = 0;
    expect([take(SPEAK), done]).toEqual([true, ['heard 2']]);
  });
});
