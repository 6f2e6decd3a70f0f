import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Flow } from '#appliance/sip/endpoint/index.ts';
import { type SipRequest, writeResponse } from '#appliance/sip/message/index.ts';
import { replicatedTrunkSchema } from '#shared/contract/provisioning/index.ts';
import { testAppliance } from '#test/support/appliance.ts';

let appliance: Awaited<ReturnType<typeof testAppliance>>;
beforeEach(async () => {
  appliance = await testAppliance();
});
afterEach(() => appliance.close());

const CHALLENGE: [string, string] = [
  'WWW-Authenticate',
  'Digest realm="carrier", nonce="abc", algorithm=MD5, qop="auth"',
];

function trunk(fields: Record<string, unknown> = {}): void {
  const body = {
    id: 'north',
    name: 'north',
    optionsInterval: 0,
    hosts: [{ uri: 'sip:198.51.100.1' }],
    ...fields,
  };
  appliance.tenant.put('trunk', 'north', replicatedTrunkSchema.parse(body));
}

/** OPTIONS of ours since the last look. */
function asked(): readonly { readonly message: SipRequest; readonly flow: Flow }[] {
  const flows = appliance.sent.map(({ flow }) => flow);
  return appliance
    .take()
    .flatMap((message, i) =>
      message.kind === 'request' && message.method === 'OPTIONS' ? [{ message, flow: flows[i] as Flow }] : [],
    );
}

function answer(
  { message, flow }: { readonly message: SipRequest; readonly flow: Flow },
  status: number,
  fields: readonly [string, string][] = [],
): void {
  const headers = ['Via', 'From', 'To', 'Call-ID', 'CSeq'].map((name): [string, string] => [
    name,
    message.header(name) ?? '',
  ]);
  appliance.runtime.message(flow, writeResponse({ status, reason: 'x', headers: [...headers, ...fields] }));
}

async function question() {
  await appliance.quiet();
  const [first] = asked();
  if (first === undefined) throw new Error('nobody was asked');
  return first;
}

describe('a look at the trunks', () => {
  test('asks an unsupervised host, and reports what it says', async () => {
    trunk();
    const looked = appliance.runtime.trunks.look();
    answer(await question(), 200);
    expect(await looked).toEqual([
      {
        trunk: 'north',
        host: 'sip:198.51.100.1',
        outcome: { kind: 'answered', status: 200, ms: 0, login: false, hop: expect.anything() },
        registration: undefined,
      },
    ]);
  });

  test('answers a challenge once, so that a wrong password is found', async () => {
    trunk({ username: 'u', password: 'p' });
    const looked = appliance.runtime.trunks.look();
    answer(await question(), 401, [CHALLENGE]);
    const second = await question();
    expect(second.message.header('Authorization')).toContain('username="u"');
    answer(second, 401, [CHALLENGE]);
    expect(await looked).toMatchObject([{ outcome: { status: 401, login: true } }]);
    expect(asked()).toEqual([]);
  });

  test('does not answer one without a login', async () => {
    trunk();
    const looked = appliance.runtime.trunks.look();
    answer(await question(), 407, [CHALLENGE]);
    expect(await looked).toMatchObject([{ outcome: { status: 407, login: false } }]);
  });

  test('says what of its question came back altered', async () => {
    trunk();
    const looked = appliance.runtime.trunks.look();
    const { message, flow } = await question();
    const field = (name: string): [string, string] => [name, message.header(name) ?? ''];
    const via = (message.header('Via') ?? '').replace(/UDP [^;]+/, 'UDP 203.0.113.9:5060');
    const headers: [string, string][] = [
      ['Via', via],
      ['From', `<sip:203.0.113.9>;tag=${message.from.tag}`],
      ...['To', 'Call-ID', 'CSeq'].map(field),
    ];
    appliance.runtime.message(flow, writeResponse({ status: 200, reason: 'x', headers }));
    expect(await looked).toMatchObject([
      { outcome: { hop: { transport: 'UDP', own: appliance.address, via, altered: ['Via', 'From'] } } },
    ]);
  });

  test('finds nothing altered where nothing was', async () => {
    trunk();
    const looked = appliance.runtime.trunks.look();
    answer(await question(), 200);
    expect(await looked).toMatchObject([{ outcome: { hop: { altered: [], peer: '198.51.100.1' } } }]);
  });

  test('gives up after eight seconds, and what comes then is nothing', async () => {
    trunk();
    const looked = appliance.runtime.trunks.look();
    const first = await question();
    await appliance.after(8_000);
    expect(await looked).toMatchObject([{ outcome: { kind: 'silent', waitedMs: 8_000 } }]);
    answer(first, 200);
  });

  test('says why a host cannot be reached', async () => {
    trunk({ hosts: [{ uri: 'sip:nobody.test' }] });
    expect(await appliance.runtime.trunks.look()).toMatchObject([
      { outcome: { kind: 'unreachable', code: 'NotFound' } },
    ]);
  });

  test('reports how our registration is', async () => {
    trunk({ register: true, username: 'u', password: 'p' });
    const looked = appliance.runtime.trunks.look();
    answer(await question(), 200);
    expect(await looked).toMatchObject([{ registration: 'underWay' }]);
  });
});
