import { expect, it } from 'vitest';
import { ORDINARY_POLICY } from '#appliance/call/control/index.ts';
import { SessionTrace } from '#appliance/kernel/session-trace.ts';
import type { SipRequest } from '#appliance/sip/message/index.ts';
import { replicatedMediaServiceSchema } from '#shared/contract/provisioning/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { collectionSizes, grown } from '#test/support/private-map.ts';
import { type Talk, type Telephone, telephones } from '#test/support/telephone.ts';
import { bySize } from '#test/support/vitest/rounds.ts';

/** mulberry32. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** More on demand: RANDOM_SEEDS=700. */
const SEEDS = Array.from(
  { length: Number(process.env.RANDOM_SEEDS ?? bySize(6, 12)) },
  (_, index) => index + 1,
);

/** Tables that are bounded by themselves and outlive a call. */
const KEPT =
  /takesNone|#sessionOf|trunks\.#(lines|admission)|#nonces\.#used|#rate\.#(ordinary|alarms|named|letIn)|guard\.#reportedMs|#profiles|#unknown|intake\.#opened|handshakes/;

/*
 * Telephones, trunks, programs and receivers that say anything at any time: 1xx reliable or not, forks, changes, transfers, digits,
 * late offers, broken descriptions, old messages again, connections that break. Nothing is left of any of it.
 */

interface Known {
  readonly by: Telephone;
  readonly talk: Talk;
  readonly branch?: string;
}

it.each(SEEDS)(
  'seed %i: whatever is said in whatever order leaves nothing behind',
  async (seed) => {
    const random = seeded(seed);
    const chance = (p: number): boolean => random() < p;
    const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const appliance = await testAppliance();
    const net = telephones(appliance);
    net.trunk({
      transport: chance(0.5) ? 'udp' : 'tcp',
      username: 'u',
      password: 'p',
      hosts: [
        { uri: 'sip:198.51.100.1:5060', priority: 1 },
        { uri: 'sip:198.51.100.2:5060', priority: 2 },
      ],
    });
    const users = [
      await net.device('anna', '192.0.2.20'),
      await net.device('bo', '192.0.2.21', {}, false),
      await net.device('carl', '192.0.2.22'),
      net.stranger('+4670', '198.51.100.1'),
      net.stranger('+4671', '198.51.100.2'),
    ];
    const bo = users[1] as Telephone;
    const service = replicatedMediaServiceSchema.parse({
      id: 'service-1',
      name: 'Switchboard',
      destinationMatch: '^ivr$',
      callbackBaseUrl: 'https://app.example/cb',
    });
    appliance.tenant.put('mediaservice', service.id, service);
    appliance.bridge({ id: 'b-tone', protocol: 'ttnew', destinationMatch: '^tone$' });
    appliance.bridge({ id: 'b-voice', protocol: 'voicecall', destinationMatch: '^voice$' });
    const CALLED = ['anna', 'bo', 'carl', '+46701234567', 'nobody', 'ivr', 'tone', 'voice'];
    appliance.answerBy(({ call }) => {
      if (chance(0.1)) return answered('', 500);
      if (call.path === '/newCall')
        return answered(
          one([{ action: 'ivr' }, { action: 'call', destAddr: one(CALLED) }, { action: 'drop' }, {}]),
        );
      if (call.path === '/callEvent')
        return answered(
          one([{ action: 'drop' }, { action: 'call', destAddr: one(CALLED) }, { action: 'ivr' }, {}]),
        );
      if (call.path === '/getIvrCommand')
        return answered(one([{ getIVRCommandAfter: 5 }, {}, { action: 'drop' }]));
      return answered(one([{}, { action: 'callEmergencyCenter' }, { action: 'acknowledge' }]));
    });
    let connection = 100;
    const byTcp = async (): Promise<void> => {
      bo.flow = {
        ...bo.flow,
        transport: 'TCP',
        reliable: true,
        connection: ++connection,
        remotePort: 40_000 + connection,
      };
      bo.contact = one(['<sip:bo@192.0.2.21:5060;transport=tcp>', '<sip:bo@10.0.0.1:5060;transport=tcp>']);
      await bo.register(net.pump).catch(() => undefined);
    };
    await byTcp();
    for (const user of users)
      user.allow = 'INVITE, ACK, CANCEL, BYE, OPTIONS, UPDATE, PRACK, REFER, INFO, NOTIFY';
    const before = collectionSizes(appliance.runtime);
    const loss = one([0, 0.1, 0.3]);
    const dead = new Set<number>();
    net.lose(() => chance(loss));
    const talks: Known[] = [];
    const said: Parameters<typeof message>[] = [];
    const message = appliance.runtime.message.bind(appliance.runtime);
    appliance.runtime.message = (flow, bytes) => {
      said.push([flow, bytes]);
      message(flow, bytes);
    };
    const asked: { readonly by: Telephone; readonly request: SipRequest }[] = [];
    const pump = async (): Promise<void> => {
      await net.pump();
    };
    const body = (by: Telephone): { sdp?: string } =>
      chance(0.7)
        ? {
            sdp: by.describe({
              direction: one(['sendrecv', 'sendonly', 'recvonly', 'inactive'] as const),
              version: Math.floor(random() * 9),
              formats: one(['8 101', '0', '8', '9', '18 8']),
            }),
          }
        : chance(0.1)
          ? { sdp: 'v=0\r\nbroken' }
          : {};
    const collect = (): void => {
      for (const by of users)
        for (let at = by.inbox.length - 1; at >= 0; at--) {
          const each = by.inbox[at];
          if (each?.kind !== 'request' || each.method === 'ACK') continue;
          by.inbox.splice(at, 1);
          asked.push({ by, request: each });
        }
    };
    const headersOf = (): (readonly [string, string])[] => [
      ...(chance(0.3)
        ? ([
            ['Require', '100rel'],
            ['RSeq', String(1 + Math.floor(random() * 3))],
          ] as const)
        : []),
      ...(chance(0.2)
        ? ([
            ['Session-Expires', `${one([90, 120, 1800])};refresher=${one(['uac', 'uas'])}`],
            ['Require', 'timer'],
          ] as const)
        : []),
      ...(chance(0.1) ? ([['Retry-After', '3']] as const) : []),
      ...(chance(0.1) ? ([['Min-SE', '3600']] as const) : []),
      ...(chance(0.1) ? ([['Record-Route', '<sip:198.51.100.2;lr>']] as const) : []),
      ...(chance(0.1)
        ? ([['WWW-Authenticate', 'Digest realm="x", nonce="n", algorithm=MD5, qop="auth"']] as const)
        : []),
    ];
    const answer = (): void => {
      if (asked.length === 0) return;
      const at = Math.floor(random() * asked.length);
      const { by, request } = asked[at] as (typeof asked)[number];
      if (chance(0.5)) asked.splice(at, 1);
      const tag = one(['a', 'b', `${by.user}-tag`]);
      const status =
        request.method === 'INVITE'
          ? one([
              100, 180, 183, 183, 180, 200, 200, 200, 302, 305, 401, 407, 404, 408, 422, 480, 481, 486, 488,
              491, 500, 503, 603,
            ])
          : one([200, 200, 200, 200, 202, 100, 401, 481, 491, 500, 408, 422]);
      const to = request.header('To') ?? '';
      const contact =
        status === 302 || status === 305
          ? one([
              '<sip:carl@care.example>',
              '<sip:anna@care.example>;q=0.3',
              '<sip:x@198.51.100.2>',
              by.contact,
            ])
          : by.contact;
      by.respond(request, status, { ...body(by), tag, contact, headers: headersOf() });
      if (request.method === 'INVITE' && status === 200 && !to.includes(';tag='))
        talks.push({ by, talk: by.answeredTalk(request, tag) });
    };
    const hear = (by: Telephone): void => {
      for (const known of talks.filter((each) => each.by === by))
        for (const each of [...by.inbox]) {
          if (each.kind !== 'response' || each.callId !== known.talk.callId) continue;
          if (each.to.tag !== undefined && (each.status >= 180 || chance(0.5)))
            known.talk.theirTag = each.to.tag;
          if (each.cseq.method === 'INVITE' && each.status === 200 && chance(0.8)) {
            by.inbox.splice(by.inbox.indexOf(each), 1);
            if (chance(0.3)) by.acknowledge(known.talk, each, body(by).sdp);
            else by.acknowledge(known.talk, each);
          } else if (each.header('RSeq') !== undefined && chance(0.7)) {
            by.inbox.splice(by.inbox.indexOf(each), 1);
            by.inDialog(known.talk, 'PRACK', {
              ...body(by),
              headers: [['RAck', `${each.header('RSeq')} ${each.cseq.seq} INVITE`]],
            });
          }
        }
    };
    for (let count = 0; count < 70; count++) {
      collect();
      // The network delivers something again, or late.
      if (said.length > 0 && chance(0.25)) {
        const again = one(said.slice(chance(0.7) ? -12 : 0));
        message(...again);
      }
      const by = one(users);
      const own = talks.filter((each) => each.by === by);
      const known = own.length > 0 ? one(own) : undefined;
      if (known?.talk.theirTag === '') known.talk.theirTag = 'unknown';
      const pick = random();
      if (pick < 0.14 && talks.length < 12) {
        const to = one(['anna', 'bo', 'carl', ...CALLED]);
        const made = await by
          .invite(to, pump, {
            ...(chance(0.2) ? { sdp: null } : {}),
            headers: [
              ...(chance(0.4) ? ([['Supported', '100rel, timer, replaces']] as const) : []),
              ...(chance(0.2) ? ([['Session-Expires', one(['90', '1800', '30'])]] as const) : []),
              ...(chance(0.2) ? ([['X-Long', 'x'.repeat(1_300)]] as const) : []),
              ...(chance(0.05) ? ([['Require', '100rel']] as const) : []),
            ],
          })
          .catch(() => undefined);
        if (made !== undefined) talks.push({ by, talk: made, branch: made.branch });
      } else if (pick < 0.16) {
        const { calls } = appliance.runtime;
        const [running] = [...calls.running].filter(({ session }) =>
          ['Attended', 'Talking'].includes(session.phase),
        );
        if (running !== undefined && chance(0.5))
          calls.turn(() =>
            running.input({
              kind: 'dial',
              groups: running.named(calls.targetsTo(running, one(CALLED)).groups),
            }),
          );
        else
          calls.place({
            destination: one(CALLED),
            origin: {
              display: '',
              user: 'alarm',
              host: 'care.example',
              hidden: false,
              trusted: true,
              fields: [],
              hopsLeft: 70,
            },
            plan: {
              policy: ORDINARY_POLICY,
              relay: {},
              straight: chance(0.8),
              trunkGroupId: undefined,
              mayReachServices: chance(0.5),
            },
            trace: new SessionTrace(`trace-${count}`, () => 0),
            setting: { keepsCaller: chance(0.5) },
            onProgress: () => undefined,
          });
      } else if (pick < 0.46) answer();
      else if (pick < 0.62) hear(by);
      else if (known !== undefined && pick < 0.66) by.inDialog(known.talk, 'BYE');
      else if (known?.branch !== undefined && pick < 0.7) by.cancel({ ...known.talk, branch: known.branch });
      else if (known !== undefined && pick < 0.76) by.inDialog(known.talk, 'INVITE', body(by));
      else if (known !== undefined && pick < 0.8) by.inDialog(known.talk, 'UPDATE', body(by));
      else if (known !== undefined && pick < 0.83)
        by.inDialog(known.talk, 'INFO', {
          headers: [['Content-Type', 'application/dtmf-relay']],
          body: one(['Signal=5\r\nDuration=160\r\n', 'Signal=', 'x']),
        });
      else if (known !== undefined && pick < 0.87) {
        const other = one(talks).talk;
        const replaces = encodeURIComponent(
          `${other.callId};to-tag=${other.theirTag};from-tag=${other.ourTag}`,
        );
        by.inDialog(known.talk, 'REFER', {
          headers: [
            [
              'Refer-To',
              one([
                `<sip:${one(users).user}@care.example>`,
                `<sip:carl@care.example?Replaces=${replaces}>`,
                '<sip:x@198.51.100.2>',
                'broken<',
              ]),
            ],
          ],
        });
      } else if (known !== undefined && pick < 0.9)
        by.inDialog(known.talk, one(['NOTIFY', 'OPTIONS', 'MESSAGE', 'PRACK', 'SUBSCRIBE', 'ACK']), {
          headers: [
            ['Event', 'refer'],
            ['Subscription-State', 'terminated'],
            ['Content-Type', 'message/sipfrag'],
            ['RAck', '1 1 INVITE'],
          ],
          body: one(['SIP/2.0 200 OK', 'SIP/2.0 100 Trying', 'x']),
          ...(chance(0.3) ? { cseq: 1 } : {}),
        });
      else if (pick < 0.93) {
        dead.add(bo.flow.connection);
        appliance.runtime.flowFailed(bo.flow);
        if (chance(0.6)) await byTcp();
      } else if (pick < 0.95) appliance.runtime.flowFailed(one(users).flow);
      else await net.after(random() * one([500, 4_000, 40_000]), 1_000);
      if (chance(0.8)) await pump();
      for (const { flow } of appliance.sent.filter((each) => dead.has(each.flow.connection)))
        appliance.runtime.flowFailed(flow);
    }
    for (const user of users) user.audio.sending = false;
    net.lose(() => true);
    await net.after(260_000, 20_000);
    await net.after(2_000_000, 50_000);
    expect(appliance.runtime.load).toMatchObject({ calls: 0, legs: 0, transactions: 0 });
    expect(appliance.runtime.calls.keptLegs).toBe(0);
    expect(appliance.media.openLegs).toEqual([]);
    expect(appliance.logged.filter((line) => !line.startsWith('warn') && !line.startsWith('info'))).toEqual(
      [],
    );
    const after = collectionSizes(appliance.runtime);
    expect(grown(before, after).filter((line) => !KEPT.test(line))).toEqual([]);
    await appliance.close();
  },
  60_000,
);
