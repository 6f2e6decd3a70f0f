import { describe, expect, test } from 'vitest';
import type { Flow } from '#appliance/sip/endpoint/index.ts';
import { type Binding, type Change, Registrar, registeredFields } from '#appliance/sip/registrar/index.ts';
import { AOR, type Asked, flow, registration, shown, tls } from './fixture.ts';

const A = 'sip:scaip-1@10.0.0.5:5060';
const B = 'sip:scaip-1@10.0.0.6:5060';
const contact = (uri: string, more = '') => `Contact: <${uri}>${more}`;
const START = 1_800_000_000_000;

/** A registrar, the rows its changes leave behind, and a short way to send it a REGISTER. */
function rig(settings = {}) {
  const registrar = new Registrar(settings);
  const rows = new Map<string, Binding>();
  const apply = (changes: readonly Change[]) => {
    for (const { kind, binding } of changes) {
      if (kind === 'stored') rows.set(`${binding.aor} ${binding.key}`, binding);
      else rows.delete(`${binding.aor} ${binding.key}`);
    }
    return changes;
  };
  const send = (fields: string[], atMs = START, asked: Asked = {}) => {
    const result = registrar.register(registration(fields, asked), atMs);
    if (result.outcome === 'registered') apply(result.changes);
    return result;
  };
  return { registrar, rows, apply, send };
}

describe('a device registers', () => {
  test('its contact is kept for as long as it asks, with the flow it came by', () => {
    const { registrar, send } = rig();
    expect(shown(send([contact(A), 'Expires: 600', 'User-Agent: unit/1']))).toEqual({
      changes: [`+${A}`],
      contacts: [A],
    });
    expect(registrar.lookup(AOR, START)).toEqual([
      {
        aor: AOR,
        key: A,
        contact: A,
        q: 1,
        outbound: false,
        registeredAtMs: START,
        expiresAtMs: START + 600_000,
        callId: 'call-1',
        cseq: 1,
        flow: flow(),
        path: [],
        userAgent: 'unit/1',
        proven: true,
        source: '198.51.100.7',
        heldSinceMs: START,
      },
    ]);
    expect(registrar.lookup(AOR, START + 599_999)).toHaveLength(1);
    expect(registrar.lookup(AOR, START + 600_000)).toHaveLength(0);
  });

  test.each([
    ['the parameter before the field', [contact(A, ';expires=120'), 'Expires: 600'], 120],
    ['an hour when nothing is asked', [contact(A)], 3_600],
    ['an hour when nonsense is asked', [contact(A, ';expires=soon')], 3_600],
    ['no longer than allowed', [contact(A, ';expires=4294967295')], 86_400],
    ['exactly the least', [contact(A, ';expires=60')], 60],
  ])('%s', (_name, fields, seconds) => {
    const { registrar, send } = rig();
    send(fields);
    expect(registrar.lookup(AOR, START)[0]?.expiresAtMs).toBe(START + seconds * 1_000);
  });

  test('too brief: answered with the least, nothing kept, not even the good contact beside it', () => {
    const { registrar, send, rows } = rig();
    expect(send([contact(A, ';expires=600'), contact(B, ';expires=59')])).toEqual({
      outcome: 'tooBrief',
      minExpires: 60,
    });
    expect([registrar.size, rows.size]).toEqual([0, 0]);
  });

  test('without a contact it asks what there is', () => {
    const { send } = rig();
    send([contact(A)]);
    expect(shown(send([], START, { cseq: 2 }))).toEqual({ changes: [], contacts: [A] });
  });

  test('several contacts: higher q first, then the newer', () => {
    const { registrar, send } = rig();
    send([contact(A, ';q=0.5')]);
    send([contact(B, ';q=0.5')], START + 1, { cseq: 2 });
    send([contact('sip:c@10.0.0.7', ';q=0.9')], START + 2, { cseq: 3 });
    expect(registrar.lookup(AOR, START + 2).map((each) => each.contact)).toEqual(['sip:c@10.0.0.7', B, A]);
  });

  test('more contacts than allowed: the oldest is dropped', () => {
    const { send } = rig({ maxContacts: 2 });
    send([contact(A)]);
    send([contact(B, ';q=0.1')], START, { cseq: 2 });
    expect(shown(send([contact('sip:c@10.0.0.7')], START, { cseq: 3 }))).toEqual({
      changes: ['+sip:c@10.0.0.7', `-${A} replaced`],
      contacts: ['sip:c@10.0.0.7', B],
    });
  });
});

describe('a device refreshes and leaves', () => {
  test('the same contact, written otherwise, is refreshed and not doubled', () => {
    const { registrar, send } = rig();
    send([contact('sip:scaip-1@Host.Test;transport=TCP;x=1')]);
    send([contact('sip:scaip%2D1@host.test;transport=tcp;x=2')], START + 1_000, {
      cseq: 2,
      flow: flow({ remotePort: 40_001 }),
    });
    const [binding, ...others] = registrar.lookup(AOR, START + 1_000);
    expect(others).toEqual([]);
    expect(binding).toMatchObject({
      contact: 'sip:scaip%2D1@host.test;transport=tcp;x=2',
      cseq: 2,
      flow: { remotePort: 40_001 },
    });
  });

  test.each([
    ['port', 'sip:a@h.test', 'sip:a@h.test:5060'],
    ['transport', 'sip:a@h.test', 'sip:a@h.test;transport=tcp'],
    ['case of the user', 'sip:a@h.test', 'sip:A@h.test'],
    ['scheme', 'sip:a@h.test', 'sips:a@h.test'],
  ])('another %s is another contact', (_name, one, other) => {
    const { send } = rig();
    expect(shown(send([contact(one), contact(other)]))).toMatchObject({ contacts: [other, one] });
  });

  test('expires 0 removes the one, the wildcard all', () => {
    const { registrar, send, rows } = rig();
    send([contact(A), contact(B)]);
    expect(shown(send([contact(A, ';expires=0')], START, { cseq: 2 }))).toEqual({
      changes: [`-${A} unregistered`],
      contacts: [B],
    });
    send([contact(A)], START, { cseq: 3 });
    expect(shown(send(['Contact: *', 'Expires: 0'], START, { cseq: 4 }))).toEqual({
      changes: [`-${A} unregistered`, `-${B} unregistered`],
      contacts: [],
    });
    expect([registrar.size, rows.size]).toEqual([0, 0]);
  });

  test('removing what is not there changes nothing', () => {
    expect(shown(rig().send([contact(A, ';expires=0')]))).toEqual({ changes: [], contacts: [] });
  });
});

describe('order (RFC 3261 10.3 step 7)', () => {
  const later = 5_000;
  test.each<[string, { callId?: string; cseq: number }, number, string]>([
    ['higher CSeq', { cseq: 11 }, later, 'refreshed'],
    ['lower CSeq: overtaken on the way', { cseq: 9 }, later, 'outOfOrder'],
    ['equal CSeq: the same request again', { cseq: 10 }, later, 'refreshed'],
    ['lower CSeq under another Call-ID', { callId: 'call-2', cseq: 1 }, later, 'refreshed'],
    ['lower CSeq long after: a device that lost power', { cseq: 1 }, 64_001, 'refreshed'],
  ])('%s', (_name, asked, afterMs, expected) => {
    const { send } = rig();
    send([contact(A)], START, { cseq: 10 });
    const result = send([contact(A)], START + afterMs, asked);
    const outcome =
      result.outcome !== 'registered'
        ? result.outcome
        : result.changes.length > 0
          ? 'refreshed'
          : 'unchanged';
    expect(outcome).toBe(expected);
  });

  test('a device that does not count keeps its registration and is reached where it came from last', () => {
    const { registrar, send } = rig();
    const again = (afterMs: number, expires: number, port: number) =>
      send([contact(A, `;expires=${expires}`)], START + afterMs, {
        cseq: 1,
        flow: flow({ remotePort: port }),
      });
    again(0, 60, 5_060);
    again(50_000, 60, 40_000);
    expect(registrar.lookup(AOR, START + 100_000)).toMatchObject([{ flow: { remotePort: 40_000 } }]);
    // A removal under the same CSeq may be an older request that was late: it removes nothing.
    expect(shown(again(60_000, 0, 40_000))).toMatchObject({ changes: [], contacts: [A] });
  });

  test.each([9, 10])('CSeq %i behind a connection that is lost: a device that came back', (cseq) => {
    const { registrar, send } = rig();
    send([contact(A)], START, { cseq: 10, flow: tls(7) });
    registrar.flowClosed(7);
    send([contact(A)], START + later, { cseq, flow: tls(8) });
    expect(registrar.lookup(AOR, START + later)[0]?.flow?.connection).toBe(8);
  });

  test('an overtaken wildcard or a contact beside it changes nothing at all', () => {
    const { send, rows } = rig();
    send([contact(A)], START, { cseq: 10 });
    const before = new Map(rows);
    expect(send(['Contact: *', 'Expires: 0'], START, { cseq: 9 }).outcome).toBe('outOfOrder');
    expect(send([contact(B), contact(A)], START, { cseq: 9 }).outcome).toBe('outOfOrder');
    expect(rows).toEqual(before);
  });
});

describe('flows', () => {
  test('instance and reg-id name a contact whatever its URI (RFC 5626)', () => {
    const { registrar, send } = rig();
    const outbound = (uri: string, regId: number) =>
      contact(uri, `;+sip.instance="<urn:uuid:1>";reg-id=${regId}`);
    send([outbound('sip:a@10.0.0.5:1111', 1)], START, { flow: tls(1) });
    send([outbound('sip:a@10.0.0.5:2222', 2)], START, { flow: tls(2), cseq: 2 });
    send([outbound('sip:a@10.0.0.5:3333', 1)], START, { flow: tls(3), callId: 'call-2' });
    const shownOf = (bindings: readonly { contact: string; flow: Flow | null }[]) =>
      bindings.map((each) => [each.contact, each.flow?.connection]);
    expect(shownOf(registrar.bindings(AOR, START))).toEqual([
      ['sip:a@10.0.0.5:3333', 3],
      ['sip:a@10.0.0.5:2222', 2],
    ]);
    // One phone, whichever flow: a fork must not ring it twice, and goes on by the flow that is left.
    expect(shownOf(registrar.lookup(AOR, START))).toEqual([['sip:a@10.0.0.5:3333', 3]]);
    registrar.flowClosed(3);
    expect(shownOf(registrar.lookup(AOR, START))).toEqual([['sip:a@10.0.0.5:2222', 2]]);
    registrar.flowClosed(2);
    expect(shownOf(registrar.lookup(AOR, START))).toEqual([['sip:a@10.0.0.5:3333', undefined]]);
  });

  test('several phones of one user are all looked up', () => {
    const { registrar, send } = rig();
    const phone = (id: number, q: number) =>
      contact(`sip:a@10.0.0.${id}`, `;+sip.instance="<urn:uuid:${id}>";reg-id=1;q=${q}`);
    send([phone(1, 0.2)], START, { flow: tls(1) });
    send([phone(2, 0.8)], START, { flow: tls(2), cseq: 2 });
    send([contact(A, ';q=0.5')], START, { cseq: 3 });
    expect(registrar.lookup(AOR, START).map((each) => each.contact)).toEqual([
      'sip:a@10.0.0.2',
      A,
      'sip:a@10.0.0.1',
    ]);
  });

  test('a browser is removed with its connection, others of the connection keep their contact', () => {
    const { registrar, send, apply, rows } = rig();
    const wss = { ...tls(5), transport: 'WSS' } as const;
    send([contact('sip:x@abc.invalid;transport=ws')], START, { flow: wss });
    send([contact(A)], START, { flow: tls(5), cseq: 2 });
    expect(apply(registrar.flowClosed(5))).toMatchObject([
      { kind: 'stored', binding: { contact: A, flow: null } },
      { kind: 'removed', reason: 'unreachable', binding: { contact: 'sip:x@abc.invalid;transport=ws' } },
    ]);
    expect(rows.size).toBe(1);
  });

  test('a connection is used as long as one binding goes by it', () => {
    const { registrar, send } = rig();
    const uses = (nowMs = START) => [1, 2].map((connection) => registrar.uses(connection, nowMs));
    send([contact(A)], START, { flow: tls(1) });
    send([contact(B)], START, { flow: tls(1), cseq: 2 });
    expect(uses()).toEqual([true, false]);
    send([contact(A, ';expires=0')], START, { flow: tls(1), cseq: 3 });
    expect(uses()).toEqual([true, false]);
    send([contact(B)], START, { flow: tls(2), cseq: 4 });
    expect(uses()).toEqual([false, true]);
    expect(uses(START + 100_000_000)).toEqual([false, false]);
  });

  test('a closed connection is forgotten where it is still the flow, and nowhere else', () => {
    const { registrar, send, apply, rows } = rig();
    send([contact(A)], START, { flow: tls(1) });
    send([contact(B)], START, { flow: tls(1), cseq: 2 });
    send([contact(B)], START, { flow: tls(2), cseq: 3 });
    expect(apply(registrar.flowClosed(1)).map((change) => change.binding.contact)).toEqual([A]);
    expect(registrar.lookup(AOR, START).map((each) => each.flow?.connection)).toEqual([2, undefined]);
    expect([...rows.values()].filter((row) => row.flow === null)).toHaveLength(1);
    expect(registrar.flowClosed(1)).toEqual([]);
    expect(registrar.flowClosed(0)).toEqual([]);
  });

  test('Path is kept in order and echoed', () => {
    const { registrar, send } = rig();
    const fields = [contact(A), 'Path: <sip:p1.test;lr>,<sip:p2.test;lr>', 'Path: <sip:p3.test>'];
    send(fields);
    const path = ['<sip:p1.test;lr>', '<sip:p2.test;lr>', '<sip:p3.test>'];
    expect(registrar.lookup(AOR, START)[0]?.path).toEqual(path);
    expect(registeredFields([], registration(fields), START)).toEqual(path.map((value) => ['Path', value]));
  });
});

test('the fields of the answer: what is left of each, rounded up', () => {
  const { registrar, send } = rig();
  send([contact(A, ';q=0.5;expires=600')]);
  const wanted = registration([contact(B, ';+sip.instance="<urn:uuid:1>";reg-id=1')], { cseq: 2 });
  const result = registrar.register(wanted, START + 1_500);
  if (result.outcome !== 'registered') throw new Error(result.outcome);
  expect(registeredFields(result.bindings, wanted, START + 1_500)).toEqual([
    ['Contact', `<${B}>;expires=3600`],
    ['Contact', `<${A}>;expires=599;q=0.5`],
    ['Require', 'outbound'],
  ]);
});

describe('time', () => {
  test('a binding that runs out is removed when the timer comes, once', () => {
    const { registrar, send, apply, rows } = rig();
    send([contact(A, ';expires=60'), contact(B, ';expires=120')]);
    expect(registrar.expire(START + 59_999)).toEqual([]);
    expect(apply(registrar.expire(START + 60_000))).toMatchObject([
      { kind: 'removed', reason: 'expired', binding: { contact: A } },
    ]);
    expect(registrar.expire(START + 61_000)).toEqual([]);
    apply(registrar.expire(START + 500_000));
    expect([registrar.size, rows.size]).toEqual([0, 0]);
  });

  test('a refresh moves the end', () => {
    const { registrar, send } = rig();
    send([contact(A, ';expires=60')]);
    send([contact(A, ';expires=60')], START + 50_000, { cseq: 2 });
    expect(registrar.expire(START + 100_000)).toEqual([]);
    expect(registrar.expire(START + 110_000)).toHaveLength(1);
  });

  test('a REGISTER after the end, before the timer, reports the end too', () => {
    const { send } = rig();
    send([contact(A, ';expires=60')]);
    expect(shown(send([contact(B)], START + 61_000, { cseq: 2 }))).toEqual({
      changes: [`-${A} expired`, `+${B}`],
      contacts: [B],
    });
  });

  test('a clock that is set back only makes bindings live longer', () => {
    const { registrar, send } = rig();
    registrar.expire(START + 10_000_000);
    send([contact(A, ';expires=60')]);
    expect(registrar.expire(START + 59_000)).toEqual([]);
    expect(registrar.expire(START + 60_000)).toHaveLength(1);
  });
});

describe('restart', () => {
  test('the rows give the same bindings; connections of the old process do not', () => {
    const { registrar, send, rows } = rig();
    send([contact(A, ';q=0.5')]);
    send([contact(B)], START + 1, { cseq: 2, flow: tls(7) });
    const next = new Registrar();
    next.restore(JSON.parse(JSON.stringify([...rows.values()])));
    const before = registrar.lookup(AOR, START + 1);
    expect(next.lookup(AOR, START + 1)).toEqual(
      before.map((each) => (each.contact === B ? { ...each, flow: null } : each)),
    );
    expect(next.flowClosed(7)).toEqual([]);
    expect(next.register(registration([contact(A)], { cseq: 1 }), START + 2).outcome).toBe('registered');
    expect(next.register(registration([contact(A)], { cseq: 0 }), START + 2).outcome).toBe('outOfOrder');
    expect(next.register(registration([contact(B)], { cseq: 1 }), START + 2).outcome).toBe('registered');
  });

  test('browsers are removed with the process', () => {
    const { send, rows } = rig();
    send([contact(A)]);
    send([contact('sip:x@abc.invalid;transport=ws')], START, {
      flow: { ...tls(5), transport: 'WSS' },
      cseq: 2,
    });
    const next = new Registrar();
    expect(next.restore(JSON.parse(JSON.stringify([...rows.values()])))).toMatchObject([
      { kind: 'removed', reason: 'unreachable', binding: { contact: 'sip:x@abc.invalid;transport=ws' } },
    ]);
    expect(next.lookup(AOR, START).map((each) => each.contact)).toEqual([A]);
  });

  test('rows that ran out meanwhile go with the first timer', () => {
    const { send, rows } = rig();
    send([contact(A, ';expires=60')]);
    const next = new Registrar();
    next.restore(rows.values());
    expect(next.lookup(AOR, START + 90_000)).toEqual([]);
    expect(next.expire(START + 90_000)).toMatchObject([{ kind: 'removed', reason: 'expired' }]);
  });
});

test('10,000 devices that refresh ten times leave 10,000 rows and nothing behind when they are removed', () => {
  const { registrar, rows, apply } = rig();
  const template = registration([contact(A, ';expires=600')]);
  for (let round = 0; round < 10; round++) {
    for (let i = 0; i < 10_000; i++) {
      const result = registrar.register(
        { ...template, aor: `d${i}@a.test`, cseq: round + 1 },
        START + round * 60_000 + i,
      );
      if (result.outcome === 'registered') apply(result.changes);
    }
    expect(registrar.expire(START + round * 60_000 + 10_000)).toEqual([]);
  }
  expect([registrar.size, rows.size]).toEqual([10_000, 10_000]);
  expect(apply(registrar.expire(START + 10_000_000))).toHaveLength(10_000);
  expect([registrar.size, rows.size]).toEqual([0, 0]);
});

describe('a clock that is set', () => {
  const DAY = 86_400_000;

  test.each([
    ['ahead', DAY],
    ['back', -3 * 365 * DAY],
  ])('%s leaves a binding the time that it had', (_, stepMs) => {
    const { registrar, send } = rig();
    send([contact(A), 'Expires: 600']);
    const nowMs = START + 200_000 + stepMs;
    registrar.clockSet(stepMs, nowMs);
    expect(registrar.bindings(AOR, nowMs)).toMatchObject([
      { registeredAtMs: START + stepMs, expiresAtMs: START + 600_000 + stepMs, heldSinceMs: START + stepMs },
    ]);
    expect(registrar.expire(nowMs + 399_000)).toEqual([]);
    expect(registrar.expire(nowMs + 400_000)).toMatchObject([{ kind: 'removed', reason: 'expired' }]);
  });

  test('back keeps the newer binding in front', () => {
    const { registrar, send } = rig();
    send([contact(A), 'Expires: 600']);
    registrar.clockSet(-DAY, START - DAY);
    send([contact(B), 'Expires: 600'], START - DAY + 1, { callId: 'call-2' });
    expect(registrar.lookup(AOR, START - DAY + 2).map(({ contact: uri }) => uri)).toEqual([B, A]);
  });

  test('gives a row of the future one period, and no more', () => {
    const before = rig();
    before.send([contact(A), 'Expires: 600']);
    const { registrar } = rig();
    registrar.restore(before.rows.values());
    // The host began in 1970, and its clock is set a minute later.
    const nowMs = START + 60_000;
    registrar.clockSet(nowMs, nowMs);
    expect(registrar.bindings(AOR, nowMs)).toMatchObject([
      { registeredAtMs: nowMs, expiresAtMs: nowMs + 600_000 },
    ]);
  });
});
