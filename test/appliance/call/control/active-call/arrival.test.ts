import { describe, expect, it } from 'vitest';
import { begun, firstClaim, openTrace, settingOf } from '#appliance/call/control/active-call/arrival.ts';
import type { Caller, Route } from '#appliance/call/route/index.ts';
import type {
  SessionOpening,
  SessionTrace,
  TraceEntry,
  TraceObserver,
} from '#appliance/kernel/session-trace.ts';
import { TenantModel } from '#appliance/replica/index.ts';
import {
  replicatedAlarmBridgeSchema,
  replicatedCloudSipUaSchema,
  replicatedMediaServiceSchema,
} from '#shared/contract/provisioning/index.ts';
import { requestText, Stage, seededBytes } from '#test/appliance/sip/endpoint/stage.ts';

const PHONE: Caller = { kind: 'device', deviceId: 'phone', trunkGroupId: undefined };
const TRUNK: Caller = { kind: 'trunk', trunkId: 't' };
const OWN: Caller = { kind: 'own' } as Caller;
const SERVICE = { callbackBaseUrl: 'https://app.example' };

/** An INVITE that came to a real endpoint, from this caller. */
function room(caller: Caller = PHONE) {
  const stage = new Stage();
  const tenant = new TenantModel('care.example');
  const bridge = { id: 'b', name: 'North', protocol: 'bs8521', destinationMatch: '^north$' };
  tenant.put('alarmbridge', 'b', replicatedAlarmBridgeSchema.parse(bridge));
  const menu = { ...SERVICE, id: 'm', name: 'Menu', destinationMatch: '^menu$' };
  tenant.put('mediaservice', 'm', replicatedMediaServiceSchema.parse(menu));
  const agent = { ...SERVICE, id: 'u', name: 'Agent', destinationMatch: '^agent$' };
  tenant.put('cloudsipua', 'u', replicatedCloudSipUaSchema.parse(agent));
  const openings: SessionOpening[] = [];
  const entries: TraceEntry[] = [];
  const sessions: TraceObserver = {
    opened: (_trace, opening) => openings.push(opening),
    added: (_trace, entry) => entries.push(entry),
    joined: () => undefined,
    attempted: () => undefined,
  };
  const ports = {
    ...{ random: seededBytes(5), traceMs: () => 5, sessions, tenant: () => tenant },
    place: { address: '2001:db8::1' },
  } as never;
  const pages: unknown[] = [];
  stage.receive(requestText({ method: 'INVITE', uri: 'sip:north@care.example' }));
  const [delivered] = stage.delivered;
  if (delivered === undefined) throw new Error('no INVITE came');
  const arrival = { ...delivered, flow: { ...udpOf(stage) }, nowMs: stage.nowMs, caller };
  const made = begun(ports, { add: (batch) => void pages.push(...batch) }, arrival);
  return {
    stage,
    arrival,
    openings,
    entries,
    pages,
    open: (route?: Route) => openTrace(ports, arrival, { ...made, ...(route && { route }) }),
    ...made,
  };
}

const udpOf = (stage: Stage) => {
  const [first] = stage.delivered;
  if (first === undefined) throw new Error('no INVITE came');
  return first.server.arrival;
};

const kinds = (trace: SessionTrace): string[] =>
  trace.takePage().flatMap(({ row }) => (JSON.parse(row.body) as TraceEntry[]).map(({ kind }) => kind));

describe('the beginning of a call', () => {
  it('has an id, and a trace that belongs to it and begins with the INVITE', () => {
    const { id, trace } = room();
    const [page] = trace.takePage();
    expect(page?.row).toMatchObject({ sessionId: id, traceId: trace.traceId });
    expect(id).not.toBe(trace.traceId);
    expect(JSON.parse(page?.row.body ?? '')).toMatchObject([
      {
        kind: 'sipReceived',
        detail: {
          method: 'INVITE',
          uri: 'sip:north@care.example',
          from: 'sip:unit@tenant.example',
          transport: 'UDP',
          source: '192.0.2.1:5060',
          callId: 'call-1',
        },
      },
    ]);
  });

  it('may end with a refusal, whose text the caller and the trace get', () => {
    const { stage, refuse, pages, entries } = room();
    refuse(404, 'not here');
    const [response] = stage.responses();
    expect([response?.status, response?.header('Warning')]).toEqual([404, '399 [2001:db8::1] "not here"']);
    // It is no session: its pages name no end.
    expect([pages.length, entries]).toEqual([1, []]);
  });

  it('ends as a session where it is one', () => {
    const { refuse, open, entries } = room();
    open({ kind: 'refused', status: 404, text: 'not here' });
    refuse(404, 'not here');
    expect(entries.map(({ kind, detail }) => [kind, detail])).toEqual([
      ['sipAnswered', { status: 404, reason: 'not here' }],
      ['sessionEnded', { outcome: 'refused', reason: '404 not here' }],
    ]);
  });

  it('keeps what it has written with the refusal', () => {
    const { refuse, trace } = room();
    refuse(404, 'not here');
    expect(kinds(trace)).toEqual([]);
  });
});

describe('the record of a call', () => {
  const of = (route: Route | undefined, caller: Caller = PHONE) => {
    const at = room(caller);
    at.open(route);
    return { ...at, opening: at.openings[0] };
  };

  it('names caller, callee and source', () => {
    const { opening, id } = of({ kind: 'device', deviceId: 'other' });
    expect(opening).toMatchObject({
      kind: 'call',
      sessionId: id,
      deviceId: 'phone',
      from: 'unit',
      to: 'north',
      requestUri: 'sip:north@care.example',
      source: '192.0.2.1',
      trunk: undefined,
      rule: 'deviceId',
    });
  });

  it('names the trunk, and the device that it calls, when it comes from a trunk', () => {
    expect(of({ kind: 'device', deviceId: 'other' }, TRUNK).opening).toMatchObject({
      deviceId: 'other',
      trunk: 't',
    });
    expect(of({ kind: 'refused', status: 404, text: '' }, TRUNK).opening?.deviceId).toBeUndefined();
  });

  it('is none when this host calls itself', () => {
    expect(of({ kind: 'device', deviceId: 'other' }, OWN).openings).toEqual([]);
  });

  const NOTHING = { receiver: undefined, receiverName: undefined, protocol: undefined, rule: undefined };
  it.each<[string, Route | undefined, object]>([
    ['that takes the place of another one', undefined, { rule: 'Replaces' }],
    [
      'to an alarm bridge',
      { kind: 'receiver', id: 'b', user: 'north' },
      { receiver: 'b', receiverName: 'North', protocol: 'bs8521', rule: 'destinationMatch ^north$' },
    ],
    [
      'to a bridge that was removed',
      { kind: 'receiver', id: 'gone', user: 'north' },
      { ...NOTHING, receiver: 'gone' },
    ],
    [
      'to a media service',
      { kind: 'application', service: 'mediaservice', id: 'm', user: 'menu' },
      { ...NOTHING, receiver: 'm', receiverName: 'Menu', rule: 'destinationMatch ^menu$' },
    ],
    [
      'to a cloud SIP user agent',
      { kind: 'application', service: 'cloudsipua', id: 'u', user: 'agent' },
      { ...NOTHING, receiver: 'u', receiverName: 'Agent', rule: 'destinationMatch ^agent$' },
    ],
    ['to a number', { kind: 'number', number: '0123', trunkGroupId: undefined }, { rule: 'outbound trunk' }],
    ['to an address', { kind: 'address', uri: 'sip:bob@x.test' }, { rule: 'SIP address' }],
    ['that is refused', { kind: 'refused', status: 404, text: '' }, { rule: undefined }],
  ])('%s', (_title, route, facts) => {
    const { opening } = of(route);
    const { receiver, receiverName, protocol, rule } = opening ?? {};
    expect({ receiver, receiverName, protocol, rule }).toEqual({ ...NOTHING, ...facts });
  });
});

describe('a claim on a call', () => {
  const claim = (name: string) => ({ route: { kind: 'device', deviceId: name } }) as const;
  const asked: string[] = [];
  const claimant = (name: string, has: boolean) => () => {
    asked.push(name);
    return has ? claim(name) : undefined;
  };

  it('is that of the first claimant who has one', () => {
    const all = [claimant('a', false), claimant('b', true), claimant('c', true)];
    expect(firstClaim(all, {} as never, PHONE)).toEqual(claim('b'));
    expect(asked).toEqual(['a', 'b']);
    expect(firstClaim([claimant('a', false)], {} as never, PHONE)).toBeUndefined();
  });
});

describe('the purpose of a call', () => {
  const application = (service: string) => ({ kind: 'application', service, id: 'x', user: 'x' }) as Route;
  const device: Route = { kind: 'device', deviceId: 'other' };

  it.each<[string, Route, string, object]>([
    ['a device', device, 'other', { purpose: 'ordinary' }],
    [
      'an emergency number',
      { kind: 'number', number: '112', trunkGroupId: undefined },
      '112',
      { purpose: 'emergency' },
    ],
    [
      'an alarm bridge',
      { kind: 'receiver', id: 'b', user: '112' },
      '112',
      { purpose: 'alarm', keepsCaller: true, endsSilent: false },
    ],
    [
      'a media service',
      application('mediaservice'),
      'menu',
      { purpose: 'mediaService', keepsCaller: true, endsSilent: true },
    ],
    [
      'a media service with an emergency number',
      application('mediaservice'),
      '112',
      { purpose: 'emergency', keepsCaller: true, endsSilent: true },
    ],
    [
      'a recorder',
      application('callrecording'),
      'x',
      { purpose: 'recording', keepsCaller: true, endsSilent: false },
    ],
    [
      'a cloud SIP user agent',
      application('cloudsipua'),
      'x',
      { purpose: 'cloudUa', keepsCaller: true, endsSilent: false },
    ],
    [
      'an alarm that is sent on',
      application('sending'),
      '112',
      { purpose: 'alarm', keepsCaller: true, endsSilent: false },
    ],
  ])('to %s', (_title, route, user, setting) => {
    expect(settingOf(route, user)).toEqual(setting);
  });
});
