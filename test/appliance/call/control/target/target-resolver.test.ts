import { describe, expect, it } from 'vitest';
import { ORDINARY_POLICY } from '#appliance/call/control/leg-media/leg-media.ts';
import { INSIDE } from '#appliance/call/control/target/inside-line.ts';
import { TargetResolver, towardsAll } from '#appliance/call/control/target/target-resolver.ts';
import type { Route } from '#appliance/call/route/index.ts';
import { TenantModel } from '#appliance/replica/index.ts';
import { replicatedDeviceSchema } from '#shared/contract/provisioning/index.ts';
import { fail, ok } from '#shared/result.ts';
import { tcp, udp } from '#test/appliance/sip/endpoint/stage.ts';

const contact = (uri: string, more: object = {}) => ({ uri, flow: udp, path: [], hop: uri, ...more });
const TRUNK = { id: 't', srtp: 'never', codecs: ['PCMA'], forceRtpRelay: true };

function room({ contacts = [] as object[], answering = [] as object[] } = {}) {
  const tenant = new TenantModel('care.example');
  const device = { deviceId: 'unit', authType: 'credentials', srtp: 'always' };
  tenant.put('device', 'unit', replicatedDeviceSchema.parse(device));
  const done: string[] = [];
  const place = (uri: string) => ({
    trunk: TRUNK,
    uri,
    login: { user: 'us' },
    nextHops: async () => ok([{ open: async () => ok(udp) }]),
  });
  const targets = new TargetResolver({ tenant: () => tenant } as never, {
    registrations: { contactsOf: () => contacts, answering: () => answering } as never,
    trunks: {
      outbound: (number: string) => [place(`sip:${number}@one.test`), place(`sip:${number}@two.test`)],
      report: (_target: unknown, { kind }: { kind: string }) => {
        done.push(`report ${kind}`);
        return true;
      },
      place: (id: string, uri: string) => (id === 't' ? place(uri) : undefined),
    } as never,
    reach: {
      open: async (uri: string) => {
        done.push(`open ${uri}`);
        return fail('NotFound', 'no such name');
      },
    } as never,
  });
  return { targets, done };
}

const uris = (groups: readonly (readonly { readonly uri: string }[])[]) =>
  groups.map((group) => group.map(({ uri }) => uri));
const only = <T>(groups: readonly (readonly T[])[]): T => {
  const first = groups[0]?.[0];
  if (first === undefined) throw new Error('there is no target');
  return first;
};

describe('the targets of a route', () => {
  const TWO = [contact('sip:unit@192.0.2.1'), contact('sip:unit@192.0.2.2', { isStale: true })];

  it.each([
    [{ kind: 'device', deviceId: 'unit' }, [['sip:unit@192.0.2.1', 'sip:unit@192.0.2.2']]],
    [
      { kind: 'number', number: '0123', trunkGroupId: undefined },
      [['sip:0123@one.test'], ['sip:0123@two.test']],
    ],
    [{ kind: 'address', uri: 'sip:bob@x.test' }, [['sip:bob@x.test']]],
    [{ kind: 'receiver', id: 'b', user: 'al arm' }, [['sip:al%20arm@care.example']]],
    [{ kind: 'application', service: 'mediaservice', id: 'm', user: 'menu' }, [['sip:menu@care.example']]],
    [{ kind: 'refused', status: 404, text: 'nobody' }, []],
  ] as [Route, string[][]][])('%j', (route, expected) => {
    expect(uris(room({ contacts: TWO }).targets.of(route, ORDINARY_POLICY))).toEqual(expected);
  });

  it.each([
    ['112', true],
    ['911', true],
    ['0123', undefined],
  ])('to %s are urgent: %s', (number, urgent) => {
    const { targets } = room();
    const byNumber = targets.of({ kind: 'number', number, trunkGroupId: undefined }, ORDINARY_POLICY);
    const byAddress = targets.of({ kind: 'address', uri: `sip:${number}@x.test` }, ORDINARY_POLICY);
    expect([only(byNumber).policy.urgent, only(byAddress).policy.urgent]).toEqual([urgent, urgent]);
  });

  it.each([
    [{ kind: 'device', deviceId: 'unit' }, 480, 'unit is not registered'],
    [{ kind: 'refused', status: 482, text: 'a loop' }, 404, 'a loop'],
    [{ kind: 'number', number: '0123', trunkGroupId: undefined }, 404, 'no host of a trunk takes 0123 now'],
  ] as [Route, number, string][])('%j: the reason where there is none', (route, status, text) => {
    expect(room().targets.found(route, ORDINARY_POLICY).unreached).toEqual({ status, text });
  });
});

describe('a target', () => {
  it('at a device: its srtp, its name in To, its flow; a stale binding gets two seconds', async () => {
    const stale = contact('sip:unit@192.0.2.1', { isStale: true, path: ['<sip:edge.test;lr>'] });
    const target = only(room({ contacts: [stale] }).targets.device('unit', ORDINARY_POLICY));
    expect(target).toMatchObject({
      to: 'sip:unit@care.example',
      routes: ['<sip:edge.test;lr>'],
      policy: { srtp: 'always' },
      trusted: false,
      follows: false,
      responseWithinMs: 2_000,
    });
    expect(await target.flow()).toEqual(ok(udp));
    expect(target.report({ kind: 'unreachable' })).toBe(false);
  });

  it('at a device behind a proxy: the hop is looked up', async () => {
    const behind = contact('sip:unit@192.0.2.1', { flow: undefined, hop: 'sip:edge.test' });
    const { targets, done } = room({ contacts: [behind] });
    const target = only(targets.device('unit', ORDINARY_POLICY));
    expect((await target.flow()).ok).toBe(false);
    expect([done, target.responseWithinMs]).toEqual([['open sip:edge.test'], undefined]);
  });

  it('at a trunk: its audio, its login, trusted; its report decides about the next host', async () => {
    const { targets, done } = room();
    const target = only(targets.number('0123', undefined, ORDINARY_POLICY));
    expect(target).toMatchObject({
      policy: { srtp: 'never', codecs: ['PCMA'], forceRtpRelay: true },
      ...{ trusted: true, follows: true, trunkId: 't', login: { user: 'us' } },
    });
    expect(await target.flow()).toEqual(ok(udp));
    expect([target.report({ kind: 'unreachable' }), done]).toEqual([true, ['report unreachable']]);
  });

  it('outside: by its address, and its dialog follows its Contact', async () => {
    const { targets, done } = room();
    const target = only(targets.address('sip:bob@x.test', ORDINARY_POLICY));
    expect(target).toMatchObject({ follows: true, trusted: false, login: undefined });
    await target.flow();
    expect([done, target.report({ kind: 'unreachable' })]).toEqual([['open sip:bob@x.test'], false]);
  });

  it('inside: over the line without a wire, without protection', async () => {
    const target = only(room().targets.of({ kind: 'receiver', id: 'b', user: 'alarm' }, ORDINARY_POLICY));
    expect(target).toMatchObject({
      ...{ inside: true, trusted: false, follows: false },
      policy: { srtp: 'never' },
    });
    expect(await target.flow()).toEqual(ok(INSIDE));
  });

  it('that a trunk names instead of itself is at that trunk, and at no unknown one', () => {
    const { targets } = room();
    expect(only(targets.atTrunk('t', 'sip:b@one.test', ORDINARY_POLICY))).toMatchObject({
      trunkId: 't',
      uri: 'sip:b@one.test',
    });
    expect(targets.atTrunk('another', 'sip:b@one.test', ORDINARY_POLICY)).toEqual([]);
  });
});

describe('the call that answers a device', () => {
  const nextHop = { device: { user: 'unit', host: 'care.example' }, flow: tcp } as never;

  it('goes to its proven bindings, else to the source of its alarm, else nowhere', () => {
    const proven = room({ answering: [contact('sip:unit@192.0.2.9')] }).targets;
    const source = { address: '192.0.2.1', replyPath: nextHop };
    expect(uris(proven.answering('unit', source, ORDINARY_POLICY))).toEqual([['sip:unit@192.0.2.9']]);
    const here = only(room().targets.answering('unit', source, ORDINARY_POLICY));
    expect(here.deviceId).toBe('unit');
    expect(here.uri).toContain(tcp.remoteAddress);
    expect(
      room().targets.answering('unit', { address: '192.0.2.1', replyPath: undefined }, ORDINARY_POLICY),
    ).toEqual([]);
  });
});

describe('connections since one broke', () => {
  const at = (remoteAddress: string, connection: number) => ({ ...tcp, remoteAddress, connection });
  const LOST = at('192.0.2.1', 1);

  it.each([
    [
      'the same contact first',
      [
        ['sip:x', at('192.0.2.1', 2)],
        ['sip:a', at('192.0.2.8', 3)],
      ],
      [3, 2],
    ],
    [
      'the same address',
      [
        ['sip:x', at('192.0.2.1', 2)],
        ['sip:y', at('192.0.2.8', 3)],
      ],
      [2],
    ],
    ['the only one there is', [['sip:y', at('192.0.2.8', 3)]], [3]],
    [
      'no other of several',
      [
        ['sip:x', at('192.0.2.7', 2)],
        ['sip:y', at('192.0.2.8', 3)],
      ],
      [],
    ],
  ] as [string, [string, typeof tcp][], number[]][])('%s', (_name, all, expected) => {
    const { targets } = room({ answering: all.map(([uri, flow]) => contact(uri, { flow })) });
    const found = targets.connections('unit', LOST, 'sip:a').map(({ connection }) => connection);
    expect([...new Set(found)]).toEqual(expected);
  });
});

describe('settings for every target', () => {
  it('are added, but a trunk keeps its own password', () => {
    const { targets } = room();
    const groups = targets.number('0123', undefined, ORDINARY_POLICY);
    const towards = { login: { user: 'asked' }, headers: [['X-A', '1']] } as never;
    expect(only(towardsAll(towards, groups))).toMatchObject({
      login: { user: 'us' },
      headers: [['X-A', '1']],
    });
    const outside = targets.address('sip:bob@x.test', ORDINARY_POLICY);
    expect(only(towardsAll(towards, outside)).login).toEqual({ user: 'asked' });
    expect(towardsAll(undefined, outside)).toBe(outside);
  });
});
