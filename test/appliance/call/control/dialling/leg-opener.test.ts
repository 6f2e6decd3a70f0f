import { describe, expect, it } from 'vitest';
import { ActiveCall } from '#appliance/call/control/active-call/active-call.ts';
import { LegOpener } from '#appliance/call/control/dialling/leg-opener.ts';
import { LegTable } from '#appliance/call/control/leg/leg-table.ts';
import type { SipLegUser } from '#appliance/call/control/leg/sip-leg.ts';
import { ORDINARY_POLICY } from '#appliance/call/control/leg-media/leg-media.ts';
import type { CallOrigin } from '#appliance/call/control/target/call-origin.ts';
import { INSIDE } from '#appliance/call/control/target/inside-line.ts';
import type { CallTarget } from '#appliance/call/control/target/target-resolver.ts';
import { EngineTimers } from '#appliance/kernel/engine-timers.ts';
import { SessionTrace } from '#appliance/kernel/session-trace.ts';
import { TenantModel } from '#appliance/replica/index.ts';
import type { Flow } from '#appliance/sip/endpoint/index.ts';
import type { SipRequest } from '#appliance/sip/message/index.ts';
import { ok } from '#shared/result.ts';
import { hash } from '#test/appliance/sip/auth/fixture.ts';
import { Stage, seededBytes, tcp, udp } from '#test/appliance/sip/endpoint/stage.ts';
import { testMedia } from '#test/support/media.ts';
import { testNetwork } from '#test/support/network.ts';

const ORIGIN: CallOrigin = {
  ...{ display: 'Anna', user: 'anna', host: 'care.example', fields: [], hopsLeft: 70 },
  ...{ hidden: false, trusted: false },
};
const TARGET: CallTarget = {
  ...{ uri: 'sip:0123@carrier.test', to: 'sip:0123@carrier.test', routes: [], policy: ORDINARY_POLICY },
  ...{ trusted: false, follows: true, login: undefined, trunkId: undefined },
  flow: async () => ok(udp),
  report: () => false,
};
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Opens legs over a real endpoint, a real table of legs and the media engine. */
function room() {
  const stage = new Stage();
  const clock = { monoMs: () => stage.nowMs, wallMs: () => stage.nowMs };
  const timers = new EngineTimers({ clock }, (cause) => stage.defects.push(String(cause)));
  const tenant = new TenantModel('care.example');
  const ports = {
    ...{ clock, timers, random: seededBytes(3), run: () => undefined },
    ...{ place: { address: '192.0.2.254' }, tenant: () => tenant },
  };
  const { media } = testMedia();
  const { lookup } = testNetwork();
  const legs = new LegTable(ports, { endpoint: stage.endpoint, media, lookup, turn: (work) => work() });
  const asked: string[] = [];
  const opener = new LegOpener(ports as never, {
    legs,
    hash,
    contactAt: (flow, isPrivate) => {
      asked.push(`${flow.transport} private ${isPrivate}`);
      return flow === INSIDE ? '192.0.2.254:5060' : '[2001:db8::1]:5070';
    },
  });
  const user = new Proxy({} as SipLegUser, { get: () => () => undefined });
  const call = (origin: Partial<CallOrigin> = {}) =>
    new ActiveCall(
      'call',
      undefined,
      { ...ORIGIN, ...origin },
      new SessionTrace('t', () => 0),
      {},
      {} as never,
    );
  return {
    stage,
    opener,
    legs,
    asked,
    call,
    /** The INVITE that a target gets. */
    async invite(
      target: Partial<CallTarget> = {},
      more: { flow?: Flow; contact?: CallOrigin['contact'] } = {},
    ) {
      const { flow = udp, contact } = more;
      const wanted: CallTarget = { ...TARGET, ...target };
      const leg = opener.open(
        { name: 'leg', flow, policy: wanted.policy, target: wanted, ...(contact && { contact }) },
        user,
      );
      leg.call(opener.planFor(call(), wanted));
      await settled();
      const request = stage.requests().at(-1);
      if (request === undefined) throw new Error('no INVITE was sent');
      return request;
    },
  };
}

const described = (request: SipRequest) =>
  request.body
    .toString()
    .split('\r\n')
    .find((line) => line.startsWith('c='));

describe('a leg that is opened', () => {
  it.each<[string, Flow, CallOrigin['contact'], string]>([
    ['over UDP', udp, undefined, '<sip:carillon@[2001:db8::1]:5070>'],
    ['over TCP', tcp, undefined, '<sip:carillon@[2001:db8::1]:5070;transport=tcp>'],
    [
      'of a call with a Contact of its own',
      udp,
      { user: '-7', field: ';+sip.src' },
      '<sip:carillon-7@[2001:db8::1]:5070>;+sip.src',
    ],
  ])('shows our Contact %s', async (_title, flow, contact, expected) => {
    const at = room();
    const request = await at.invite({}, { flow, ...(contact && { contact }) });
    expect(request.header('Contact')).toBe(expected);
    expect(at.legs.leg('leg')?.flow).toBe(flow);
  });

  it('has its audio where its Contact is, but inside this host at the end of that line', async () => {
    const at = room();
    expect(described(await at.invite())).toBe('c=IN IP6 2001:db8::1');
    expect(described(await room().invite({ inside: true }, { flow: INSIDE }))).toBe('c=IN IP4 127.0.0.1');
  });

  it('asks for the address of the private network where its policy says so', async () => {
    const at = room();
    await at.invite({ policy: { ...ORDINARY_POLICY, useVPNConnection: true } });
    await at.invite();
    expect(at.asked).toEqual(['UDP private true', 'UDP private false']);
  });

  it('names our methods and a session timer', async () => {
    const request = await room().invite();
    expect(request.header('Allow')).toContain('REFER, NOTIFY, MESSAGE');
    expect([request.header('Session-Expires'), request.header('Min-SE')]).toEqual(['1800', '90']);
  });
});

describe('the INVITE of a call', () => {
  const plan = (target: Partial<CallTarget> = {}, origin: Partial<CallOrigin> = {}) => {
    const { opener, call } = room();
    return opener.planFor(call(origin), { ...TARGET, ...target });
  };
  const field = (name: string, { headers = [] }: ReturnType<typeof plan>) =>
    headers.filter((each) => each[0] === name).map(([, value]) => value);

  it('names caller and callee, and has ids of its own', () => {
    const made = plan({ routes: ['<sip:edge.test;lr>'] });
    expect(made).toMatchObject({
      target: 'sip:0123@carrier.test',
      localAddress: '"Anna" <sip:anna@care.example>',
      remoteAddress: '<sip:0123@carrier.test>',
      cseq: 1,
      routes: ['<sip:edge.test;lr>'],
    });
    expect(made.localTag).toMatch(/^[\da-f]{16}$/);
    expect(made.callId).toMatch(/^[\da-f]{24}@192\.0\.2\.254$/);
    expect(Object.keys(made)).not.toContain('optional');
    expect(Object.keys(made)).not.toContain('responseWithinMs');
  });

  it('goes to the callee that its caller has named', () => {
    expect(plan({}, { to: 'sip:centre@care.example' }).remoteAddress).toBe('<sip:centre@care.example>');
  });

  it.each<[string, Partial<CallTarget>, Partial<CallOrigin>, string, readonly string[], readonly string[]]>([
    ['of a caller to anyone', {}, {}, '"Anna" <sip:anna@care.example>', [], []],
    [
      'to a trunk',
      { trusted: true },
      {},
      '"Anna" <sip:anna@care.example>',
      ['"Anna" <sip:anna@care.example>'],
      [],
    ],
    [
      'of a hidden caller to a trunk',
      { trusted: true },
      { hidden: true },
      '"Anonymous" <sip:anonymous@anonymous.invalid>',
      ['"Anna" <sip:anna@care.example>'],
      ['id'],
    ],
    [
      'of a hidden caller to anyone',
      {},
      { hidden: true },
      '"Anonymous" <sip:anonymous@anonymous.invalid>',
      [],
      [],
    ],
    ['of a trunk to a trunk', { trusted: true }, { trusted: true }, '"Anna" <sip:anna@care.example>', [], []],
  ])('shows the identity %s', (_title, target, origin, from, asserted, privacy) => {
    const made = plan(target, origin);
    expect(made.localAddress).toBe(from);
    expect(field('P-Asserted-Identity', made)).toEqual(asserted);
    expect(field('Privacy', made)).toEqual(privacy);
  });

  it.each([
    [70, undefined, '69'],
    [1, undefined, '0'],
    [0, undefined, '0'],
    [70, true, '20'],
    [5, true, '4'],
  ] as const)('starts with %i hops, inside this host %s, and has %s left', (hopsLeft, inside, left) => {
    const made = plan(inside === undefined ? {} : { inside }, { hopsLeft });
    expect(field('Max-Forwards', made)).toEqual([left]);
  });

  it('carries the fields and parts of its target', () => {
    const part = { type: 'application/x', body: new Uint8Array(1) } as never;
    const made = plan({ headers: [['X-Own', '1']], beside: part });
    expect([field('X-Own', made), made.beside]).toEqual([['1'], part]);
  });

  it('with parts that may be left out waits three seconds for a first response, else as long as its target says', () => {
    const optional = { headers: [], parts: [] };
    expect(plan({ optional })).toMatchObject({ optional, responseWithinMs: 3_000 });
    expect(plan({ responseWithinMs: 2_000 }).responseWithinMs).toBe(2_000);
    expect(plan({ optional, responseWithinMs: 2_000 }).responseWithinMs).toBe(2_000);
  });
});

describe('a challenge of a callee', () => {
  const LOGIN = { username: 'us', password: 'secret' };
  const challenge = (at: ReturnType<typeof room>, field: string): void => {
    const request = at.stage.requests().find(({ method }) => method === 'INVITE');
    const copied = ['Via', 'From', 'Call-ID', 'CSeq'].map((name) => `${name}: ${request?.header(name)}`);
    at.stage.receive(
      [
        'SIP/2.0 401 No',
        ...copied,
        `To: ${request?.header('To')};tag=x`,
        field,
        'Content-Length: 0',
        '',
        '',
      ].join('\r\n'),
    );
  };
  const GOOD = 'WWW-Authenticate: Digest realm="carrier", nonce="n", qop="auth", algorithm=SHA-256';

  it('is answered with the password of the target', async () => {
    const at = room();
    await at.invite({ login: LOGIN });
    challenge(at, GOOD);
    await settled();
    const proof = at.stage.requests().at(-1)?.header('Authorization') ?? '';
    const parameter = (name: string) => proof.match(new RegExp(`\\b${name}="?([^",]+)`))?.[1] ?? '';
    const a1 = hash('SHA-256', 'us:carrier:secret');
    const a2 = hash('SHA-256', `INVITE:${TARGET.uri}`);
    expect(parameter('response')).toBe(
      hash('SHA-256', [a1, 'n', '00000001', parameter('cnonce'), 'auth', a2].join(':')),
    );
    expect(parameter('cnonce')).toMatch(/^[\da-f]{16}$/);
  });

  it.each([
    ['without a password', undefined, GOOD],
    ['of a kind that we do not know', LOGIN, 'WWW-Authenticate: Basic realm="carrier"'],
  ])('is not answered %s', async (_title, login, field) => {
    const at = room();
    await at.invite({ login });
    challenge(at, field);
    await settled();
    expect(at.stage.requests().map(({ method }) => method)).toEqual(['INVITE', 'ACK']);
  });
});
