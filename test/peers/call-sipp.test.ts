import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePorts } from '#test/support/site-port.ts';
import { DOMAIN, type PeerSite, phone, startPeerSite } from './support/peer-site.ts';
import { received, runSipp } from './support/sipp.ts';
import { runPair } from './support/sipp-pair.ts';
import {
  ack,
  answers,
  ask,
  called,
  checked,
  demand,
  demandHop,
  hangsUp,
  has,
  hear,
  hop,
  invite,
  inviteAgain,
  isLeft,
  kept,
  pause,
  reply,
  rings,
  type Step,
  scenario,
  settle,
  take,
  talks,
  trying,
} from './support/sipp-scenario.ts';

/** Loopback addresses tell the peers apart: a trunk is known by its address. */
const CARRIER = '127.0.0.8';
const PHONE = '127.0.0.9';
const PASSWORD = 'correct-horse';
const WITHIN_S = 40;

const CALLS = 300;
/** One period of 1 kHz in A-law. */
const SINE_1K = [0xd5, 0xa1, 0xb9, 0xa1, 0xd5, 0x21, 0x39, 0x21];

let folder: string;
let site: PeerSite;
let phonePort: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-sipp-'));
  [phonePort = 0] = await freePorts(PHONE, 1);
  site = await startPeerSite({
    devices: [phone('bo', PASSWORD)],
    trunks: [{ id: 'carrier', direction: 'in', ipAllowList: [`${CARRIER}/32`] }],
  });
  const registered = await runSipp({
    scenario: 'register.xml',
    transport: 'udp',
    port: site.appliance.ready.udp,
    domain: DOMAIN,
    from: PHONE,
    fromPort: phonePort,
    calls: [['bo', `[authentication username=bo password=${PASSWORD}]`]],
  });
  expect(registered).toMatchObject({ code: 0, errors: '' });
});
afterAll(async () => {
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
});

afterEach(async () => {
  await expect.poll(async () => (await site.appliance.ask('report')).legs, { timeout: 30_000 }).toBe(0);
  const { counts, logged, calls } = await site.appliance.ask('report');
  expect({ defects: counts.defects, logged, calls }).toEqual({ defects: 0, logged: [], calls: 0 });
});

const port = (transport: 'udp' | 'tcp'): number => site.appliance.ready[transport];

/** The carrier calls the telephone of bo. */
async function carrierCalls(
  transport: 'udp' | 'tcp',
  name: string,
  scenarios: { readonly caller: readonly Step[]; readonly callee: readonly Step[] },
) {
  const common = { domain: DOMAIN, withinS: WITHIN_S };
  const outcome = await runPair(
    {
      ...common,
      scenario: scenario(name, scenarios.callee),
      transport: 'udp',
      port: port('udp'),
      from: PHONE,
      fromPort: phonePort,
      calls: [['-']],
    },
    {
      ...common,
      scenario: scenario(name, scenarios.caller),
      transport,
      port: port(transport),
      from: CARRIER,
      calls: [['+46855500000', 'bo']],
    },
  );
  expect({ caller: outcome.caller.errors, callee: outcome.callee.errors }).toEqual({
    caller: '',
    callee: '',
  });
  expect([outcome.caller.code, outcome.callee.code]).toEqual([0, 0]);
  return outcome;
}

describe.each(['udp', 'tcp'] as const)('SIPp calls over %s', (transport) => {
  it('and hangs up', () =>
    carrierCalls(transport, 'call', { caller: [...talks, ...hangsUp()], callee: [...answers, ...isLeft] }));

  it('and is hung up on', () =>
    carrierCalls(transport, 'hung up', {
      caller: [...talks, ...isLeft],
      callee: [...answers, demand('BYE', 1), hear(200)],
    }));

  it('a callee that is busy', () =>
    carrierCalls(transport, 'busy', {
      caller: [invite(), trying, hear(486), hop('ACK')],
      callee: [called(), reply(486), take('ACK')],
    }));

  it('and gives up while it rings', () =>
    carrierCalls(transport, 'cancel', {
      caller: [...rings, hop('CANCEL'), hear(200), hear(487), hop('ACK')],
      callee: [called(), reply(180), take('CANCEL'), reply(200), reply(487, { kept: true }), take('ACK')],
    }));

  it('with a late offer', () =>
    carrierCalls(transport, 'late offer', {
      caller: [
        invite({}),
        trying,
        hear(180),
        hear(200, { action: has('Content-Type', 'application/sdp', 'sdp') }),
        checked('sdp'),
        ack(1, { sdp: true }),
        ...hangsUp(),
      ],
      callee: [...answers, ...isLeft],
    }));
});

const BOTH = ['udp', 'tcp'] as const;
const bothCall = async (...scenario: Parameters<typeof carrierCalls>): Promise<void> => {
  await carrierCalls(...scenario);
};

describe('SIPp meets', () => {
  it('an 18x without a tag', () =>
    carrierCalls('udp', 'no tag', {
      caller: [invite(), trying, hear(180), hear(200), ack(), ...hangsUp()],
      callee: [
        called(),
        reply(180, { tag: null }),
        reply(200, { sdp: true, again: true }),
        take('ACK'),
        ...isLeft,
      ],
    }));

  it('two 200s of a forked call: both are acknowledged, the second one is ended', () =>
    carrierCalls('udp', 'fork', {
      caller: [...talks, ...isLeft],
      callee: [
        called(),
        reply(180),
        reply(200, { sdp: true, tag: 'first' }),
        take('ACK', { action: has('To', 'tag=first', 'one') }),
        reply(200, { sdp: true, tag: 'second', kept: true }),
        take('ACK', { action: has('To', 'tag=second', 'two') }),
        take('BYE', { action: has('To', 'tag=second', 'gone') }),
        checked('one', 'two', 'gone'),
        settle(200),
        demand('BYE', 1).replace('tag=b[call_number]', 'tag=first'),
        hear(200),
      ],
    }));

  it.each(BOTH)('glare over %s: 491 to the one who comes in between, and ours is tried again', (transport) =>
    bothCall(transport, 'glare', {
      caller: [...talks, ask('INVITE', 2, { sdp: 'sendonly' }), trying, hear(200), ack(2), ...isLeft],
      callee: [
        ...answers,
        take('INVITE', { action: kept }),
        demand('INVITE', 1, { sdp: true }),
        hear(491),
        demandHop(1),
        reply(491, { kept: true, tag: null }),
        take('ACK'),
        take('INVITE'),
        settle(200, { sdp: 'recvonly', again: true }),
        take('ACK'),
        demand('BYE', 2),
        hear(200),
      ],
    }),
  );

  it('UPDATE as session refresh', () =>
    carrierCalls('udp', 'refresh', {
      caller: [
        invite({ sdp: true, headers: ['Supported: timer', 'Session-Expires: 120;refresher=uac'] }),
        trying,
        hear(180),
        hear(200, { action: has('Session-Expires', '120;refresher=uac', 'timer') }),
        ack(),
        ask('UPDATE', 2, { headers: ['Supported: timer', 'Session-Expires: 100;refresher=uac'] }),
        hear(200, { action: has('Session-Expires', '100;refresher=uac', 'shorter') }),
        checked('timer', 'shorter'),
        ...hangsUp(3),
      ],
      callee: [...answers, ...isLeft],
    }));

  it('422 for a session that would end too soon, and comes again', () =>
    carrierCalls('udp', 'too small', {
      caller: [
        invite({ sdp: true, headers: ['Supported: timer', 'Session-Expires: 60', 'Min-SE: 60'] }),
        trying,
        hear(422, { action: has('Min-SE', '90', 'least') }),
        checked('least'),
        hop('ACK'),
        invite({ sdp: true, headers: ['Supported: timer', 'Session-Expires: 90', 'Min-SE: 90'] }, 2),
        trying,
        hear(180),
        hear(200),
        ack(2),
        ...hangsUp(3),
      ],
      callee: [...answers, ...isLeft],
    }));

  it('our INVITE again with a longer session, once it has said 422', () =>
    carrierCalls('udp', '422', {
      caller: [...talks, ...hangsUp()],
      callee: [
        called(),
        reply(422, { headers: ['Min-SE: 2000'] }),
        take('ACK'),
        take('INVITE', { action: has('Session-Expires', '2000', 'longer') }),
        checked('longer'),
        ...answers.slice(1),
        ...isLeft,
      ],
    }));

  it('reliable provisional responses on both sides', () =>
    carrierCalls('udp', '100rel', {
      caller: [
        invite({ sdp: true, headers: ['Require: 100rel'] }),
        trying,
        hear(183, { action: `${has('RSeq', '[0-9]+', 'rseq')}${has('Require', '100rel', 'reliable')}` }),
        checked('reliable'),
        ask('PRACK', 2, { headers: ['RAck: [$rseq] 1 INVITE'] }),
        hear(200),
        hear(200),
        ack(),
        ...hangsUp(3),
      ],
      callee: [
        called(),
        reply(183, { sdp: true, headers: ['Require: 100rel', 'RSeq: 17'] }),
        take('PRACK', { action: has('RAck', '17 1 INVITE', 'rack') }),
        checked('rack'),
        settle(200),
        reply(200, { kept: true, again: true }),
        take('ACK'),
        ...isLeft,
      ],
    }));

  it.each(BOTH)('over %s its CANCEL behind the answer, which changes nothing', (transport) =>
    bothCall(transport, 'cancel too late', {
      caller: [...rings, hear(200), hop('CANCEL'), hear(200), ack(), ...hangsUp()],
      callee: [...answers, ...isLeft],
    }),
  );

  it.each(BOTH)('over %s its BYE in front of its ACK', (transport) =>
    bothCall(transport, 'bye first', {
      caller: [...rings, hear(200), ask('BYE', 2), hear(200), ack()],
      callee: [...answers, ...isLeft],
    }),
  );

  // Over TCP, too (RFC 3261 13.3.1.4), but there SIPp takes a repeated 200 for an error.
  it('the same 200 again until its late ACK', async () => {
    const { caller } = await carrierCalls('udp', 'late ack', {
      caller: [...rings, hear(200), pause(1_700), ack(), ...hangsUp()],
      callee: [...answers, ...isLeft],
    });
    const answered = received(caller.messages).filter((text) =>
      /^SIP\/2\.0 200[\s\S]*CSeq: 1 INVITE/.test(text),
    );
    expect(answered.length).toBeGreaterThan(1);
    expect(new Set(answered).size).toBe(1);
  });

  it('one call for an INVITE that came twice', async () => {
    const { callee } = await carrierCalls('udp', 'twice', {
      caller: [...rings, inviteAgain(3), hear(200), ack(), ...hangsUp()],
      callee: [...answers, ...isLeft],
    });
    const calls = received(callee.messages).filter((text) => text.startsWith('INVITE'));
    expect(calls).toHaveLength(1);
  });
});

describe('SIPp calls three hundred times', () => {
  it('with audio that comes back, without a failure', async () => {
    const audio = join(folder, 'tone.alaw');
    // Two seconds of a sine that A-law writes as eight signs.
    writeFileSync(audio, Buffer.from(Array.from({ length: 2_000 }, () => SINE_1K).flat()));
    const common = { domain: DOMAIN, withinS: 60, perSecond: 18, atOnce: 90, transport: 'udp' as const };
    const outcome = await runPair(
      {
        ...common,
        scenario: scenario('many', answers, isLeft),
        port: port('udp'),
        from: PHONE,
        fromPort: phonePort,
        flags: ['-rtp_echo'],
        calls: Array.from({ length: CALLS }, () => ['-']),
      },
      {
        ...common,
        scenario: scenario(
          'many',
          talks,
          `<nop><action><exec rtp_stream="${audio},1,8"/></action></nop>`,
          pause(2_000),
          hangsUp(),
        ),
        port: port('udp'),
        from: CARRIER,
        calls: Array.from({ length: CALLS }, () => ['+46855500000', 'bo']),
      },
    );
    expect({ caller: outcome.caller.errors, callee: outcome.callee.errors }).toEqual({
      caller: '',
      callee: '',
    });
    expect([outcome.caller.code, outcome.callee.code]).toEqual([0, 0]);
    expect(outcome.caller.messages.match(/^SIP\/2\.0 200[\s\S]{0,400}?CSeq: 2 BYE/gm)).toHaveLength(CALLS);
  });
});
