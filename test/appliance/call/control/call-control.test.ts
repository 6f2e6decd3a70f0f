import { describe, expect, it, vi } from 'vitest';
import type { PlacedCall, ReceivedCall } from '#appliance/call/control/active-call/call-control-port.ts';
import { CallControl } from '#appliance/call/control/call-control.ts';
import { CallRouter } from '#appliance/call/control/target/call-router.ts';
import { ORDINARY_PLAN } from '#appliance/call/control/target/dial-plan.ts';
import type { Caller, Route } from '#appliance/call/route/index.ts';
import { EngineTimers } from '#appliance/kernel/engine-timers.ts';
import { SessionTrace } from '#appliance/kernel/session-trace.ts';
import { TenantModel } from '#appliance/replica/index.ts';
import type { Flow } from '#appliance/sip/endpoint/index.ts';
import type { SipRequest } from '#appliance/sip/message/index.ts';
import {
  replicatedAlarmBridgeSchema,
  replicatedDeviceSchema,
  replicatedMediaServiceSchema,
} from '#shared/contract/provisioning/index.ts';
import { hash } from '#test/appliance/sip/auth/fixture.ts';
import { capability, requestText, Stage, seededBytes, tcp, udp } from '#test/appliance/sip/endpoint/stage.ts';
import { testMedia } from '#test/support/media.ts';
import { testNetwork } from '#test/support/network.ts';

const HOST = '192.0.2.254';
const SDP =
  'v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=-\r\nc=IN IP4 192.0.2.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 8\r\n';
const OFFERS = ['Contact: <sip:unit@192.0.2.1>', 'Content-Type: application/sdp'];
const PHONE: Caller = { kind: 'device', deviceId: 'phone', trunkGroupId: undefined };
/** The telephone `other`, which is registered over a connection of its own. */
const OTHER: Flow = { ...tcp, remoteAddress: '192.0.2.2', connection: 8 };
const deviceOf = (deviceId: string) =>
  replicatedDeviceSchema.parse({ deviceId, authType: 'credentials', srtp: 'never' });
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Call control over a real endpoint, a real router and the media engine; only `other` is registered. */
function room({ caller = PHONE }: { readonly caller?: Caller } = {}) {
  const log: string[] = [];
  const stage = new Stage({
    capability: { ...capability, methods: [...capability.methods, 'REFER'] },
    effects: {
      deliver: (request, server, flow, nowMs) => {
        if (request.to.tag === undefined) control.arrive({ request, server, flow, nowMs, caller });
        else control.requested(request, server, nowMs);
      },
      acknowledged: (ack) => control.acknowledged(ack),
      cancelled: (invite, _cancel, nowMs) => control.cancelled(invite, nowMs),
    },
  });
  const clock = { monoMs: () => stage.nowMs, wallMs: () => stage.nowMs };
  const timers = new EngineTimers({ clock }, (cause) => stage.defects.push(String(cause)));
  const tenant = new TenantModel('care.example');
  for (const deviceId of ['phone', 'other', 'away']) tenant.put('device', deviceId, deviceOf(deviceId));
  const bridge = {
    id: 'b',
    name: 'North',
    protocol: 'bs8521',
    destinationMatch: '^north$',
    controlCommandsEnabled: false,
  };
  tenant.put('alarmbridge', 'b', replicatedAlarmBridgeSchema.parse(bridge));
  const menu = { id: 'm', name: 'Menu', destinationMatch: '^menu$', callbackBaseUrl: 'https://app.example' };
  tenant.put('mediaservice', 'm', replicatedMediaServiceSchema.parse(menu));
  const { media, events } = testMedia({ host: HOST });
  const { lookup } = testNetwork();
  const background: Promise<unknown>[] = [];
  const ports = {
    ...{ clock, timers, media, tenant: () => tenant, random: seededBytes(4), traceMs: () => stage.nowMs },
    run: (work: Promise<unknown>) => void background.push(work),
    log: (level: string, event: string) => log.push(`${level} ${event}`),
    place: { address: HOST },
  } as never;
  const contact = { uri: 'sip:other@192.0.2.2', flow: OTHER, path: [], hop: 'sip:other@192.0.2.2' };
  const trunks = {
    outbound: () => [],
    report: () => false,
    owns: () => false,
    place: () => undefined,
  } as never;
  const contactAt = () => `${HOST}:5060`;
  const pages: unknown[] = [];
  const registered = [contact];
  const router = new CallRouter(ports, {
    receiver: () => ({ bridgeFor: (user) => (user === 'north' ? { id: 'b' } : undefined) }),
    ...{ trunks, contactAt },
  });
  const control = new CallControl(ports, {
    registrations: {
      contactsOf: (id: string) => (id === 'other' || id === '112' ? [contact] : []),
      answering: (id: string) => (id === 'other' ? registered : []),
    } as never,
    reach: {
      open: async () => ({ ok: false, error: { code: 'NotFound', reason: 'no such name' } }),
    } as never,
    pages: { add: (batch) => void pages.push(...batch) },
    ...{ endpoint: stage.endpoint, lookup, router, trunks, hash, contactAt },
  });
  const over: string[] = [];
  control.over.add(({ end }) => over.push(end?.text ?? 'moved'));
  const last = (method: string): SipRequest => {
    const found = stage.requests().findLast((request) => request.method === method);
    if (found === undefined) throw new Error(`no ${method} was sent`);
    return found;
  };
  const send = (method: string, more: Parameters<typeof requestText>[0] = {}): void =>
    stage.receive(requestText({ method, branch: `z9hG4bK${method}`, ...more }));
  return {
    ...{ stage, control, timers, media, events, pages, over, log, last, tenant, registered },
    requests: (method: string) => stage.requests().filter((request) => request.method === method),
    /** A call of `phone` to this user; done when the audio of the caller is open. */
    async invite(user: string, callId = 'call-1'): Promise<void> {
      send('INVITE', {
        ...{ uri: `sip:${user}@care.example`, callId, branch: `z9hG4bK${callId}` },
        ...{ extra: OFFERS, body: SDP },
      });
      await settled();
      await settled();
    },
    /** A request of the caller in its dialog. */
    inDialog(method: string, cseq: number, extra: readonly string[] = []): void {
      const tag = stage.responses().findLast(({ to }) => to.tag !== undefined)?.to.tag;
      send(method, { cseq: `${cseq} ${method}`, to: `<sip:receiver@${HOST}>;tag=${tag}`, extra });
    },
    cancel: () => send('CANCEL', { branch: 'z9hG4bKcall-1', cseq: '1 CANCEL' }),
    /** The response of `other` to the last request of this method. */
    async reply(method: string, status: number): Promise<void> {
      const request = last(method);
      const copied = ['Via', 'From', 'Call-ID', 'CSeq'].map((name) => `${name}: ${request.header(name)}`);
      const body = status === 200 && method === 'INVITE' ? SDP.replaceAll('192.0.2.1', '192.0.2.2') : '';
      const lines = [`SIP/2.0 ${status} Said`, ...copied, `To: ${request.header('To')};tag=theirs`];
      const described = ['Contact: <sip:other@192.0.2.2>', 'Content-Type: application/sdp'];
      stage.receive([...lines, ...described, `Content-Length: ${body.length}`, '', body].join('\r\n'), OTHER);
      await settled();
    },
    pass(ms: number): void {
      stage.pass(ms, timers);
    },
    /** A call of our own, to this destination. */
    place(destination: string, more: Partial<PlacedCall> = {}) {
      const progress: string[] = [];
      const call = control.place({
        origin: {
          ...{ display: 'Centre', user: 'centre', host: 'care.example', fields: [], hopsLeft: 70 },
          ...{ hidden: false, trusted: false },
        },
        ...{ plan: ORDINARY_PLAN, trace: new SessionTrace('t', () => 0), destination },
        onProgress: ({ kind }) => progress.push(kind),
        ...more,
      });
      return { call, progress };
    },
  };
}

type Room = ReturnType<typeof room>;

/** `phone` speaks with `other`. */
async function talking(at: Room = room()): Promise<Room> {
  await at.invite('other');
  await at.reply('INVITE', 200);
  at.inDialog('ACK', 1);
  return at;
}

const warning = ({ stage }: Room): string => stage.responses().at(-1)?.header('Warning') ?? '';
const statuses = ({ stage }: Room): number[] => stage.statuses().filter((status) => status > 100);

describe('a call to a device', () => {
  it('rings there, is answered, joined and ended with both', async () => {
    const at = room();
    await at.invite('other');
    expect(at.last('INVITE').uriText).toBe('sip:other@192.0.2.2');
    expect([at.control.size, at.control.legs, [...at.control.running].length]).toEqual([1, 2, 1]);
    await at.reply('INVITE', 180);
    await at.reply('INVITE', 200);
    at.inDialog('ACK', 1);
    expect([at.control.legs, at.control.keptLegs]).toEqual([2, 2]);
    expect(statuses(at)).toEqual([180, 200]);
    at.inDialog('BYE', 2);
    await at.reply('BYE', 200);
    expect([statuses(at), at.requests('BYE').length]).toEqual([[180, 200, 200], 1]);
    expect([at.control.size, at.control.legs, at.over.length, at.pages.length > 0]).toEqual([0, 0, 1, true]);
    at.pass(64_000);
    expect([at.control.keptLegs, at.timers.size, at.stage.defects, at.log]).toEqual([0, 0, [], []]);
  });

  it('that is not registered is refused with 480', async () => {
    const at = room();
    await at.invite('away');
    expect([statuses(at), warning(at)]).toEqual([[480], `399 ${HOST} "away is not registered"`]);
    expect(at.control.size).toBe(0);
  });

  it('that is refused there is refused to the caller, too', async () => {
    const at = room();
    await at.invite('other');
    await at.reply('INVITE', 486);
    expect(statuses(at)).toEqual([486]);
    expect(at.over).toHaveLength(1);
  });

  it('that is cancelled is cancelled there', async () => {
    const at = room();
    await at.invite('other');
    await at.reply('INVITE', 180);
    at.cancel();
    expect(statuses(at).slice(-2).toSorted()).toEqual([200, 487]);
    expect(at.requests('CANCEL')).toHaveLength(1);
  });

  it('rings for so long, and no longer', async () => {
    const at = room();
    await at.invite('other');
    await at.reply('INVITE', 180);
    at.pass(180_000);
    expect([at.requests('CANCEL').length, at.control.size]).toEqual([1, 0]);
  });

  it('ends when the audio of a leg is lost', async () => {
    const at = await talking();
    const [call] = at.control.running;
    const [leg] = call?.legs ?? [];
    at.control.onMediaEvent({ kind: 'lost', worker: 0, legs: [leg?.name ?? ''], conferences: [] });
    expect(at.over).toEqual(['the audio of this call was lost with its media worker']);
    expect(at.requests('BYE')).toHaveLength(2);
  });
});

describe('a call whose INVITE is answered at once', () => {
  it('without Contact is over before it has begun', () => {
    const at = room();
    at.stage.receive(requestText({ method: 'INVITE', uri: 'sip:other@care.example' }));
    expect([statuses(at), at.control.size, at.control.keptLegs, at.over]).toEqual([[400], 0, 0, []]);
  });

  it('is no session when this host calls itself, and has no peer that may send it on', async () => {
    const at = room({ caller: { kind: 'own' } as Caller });
    await at.invite('other');
    const [call] = at.control.running;
    expect([call?.inside, call?.trace.kind]).toEqual([true, undefined]);
    const [ordinary] = (await talking()).control.running;
    expect([ordinary?.inside, ordinary?.trace.kind]).toEqual([false, 'call']);
  });

  it('is a session whose end is noted once; one of this host to itself has none', async () => {
    const ends = async (caller: Caller): Promise<number> => {
      const at = await talking(room({ caller }));
      const [call] = at.control.running;
      const add = call && vi.spyOn(call.trace, 'add');
      at.inDialog('BYE', 2);
      await at.reply('BYE', 200);
      expect(at.over).toHaveLength(1);
      return add?.mock.calls.filter(([kind]) => kind === 'sessionEnded').length ?? -1;
    };
    expect([await ends(PHONE), await ends({ kind: 'own' } as Caller)]).toEqual([1, 0]);
  });
});

describe('a call without a callee', () => {
  it('is refused with 404, and reported', async () => {
    const at = room();
    const unanswered: string[] = [];
    at.control.unanswered.add(({ uriText }, caller) => unanswered.push(`${uriText} of ${caller.kind}`));
    await at.invite('strange');
    expect([statuses(at), unanswered]).toEqual([[404], ['sip:strange@care.example of device']]);
    expect([at.control.size, at.control.keptLegs]).toEqual([0, 0]);
  });

  it('goes where the fallback says', async () => {
    const at = room();
    at.control.otherwiseBy(() => ({ kind: 'device', deviceId: 'other' }));
    await at.invite('strange');
    expect(at.last('INVITE').uriText).toBe('sip:other@192.0.2.2');
  });

  it('is refused where the fallback has no answer; a call that loops has none', async () => {
    const at = room();
    at.control.otherwiseBy(() => undefined);
    await at.invite('strange');
    const looped = room();
    looped.control.otherwiseBy(() => ({ kind: 'device', deviceId: 'other' }));
    const unanswered: string[] = [];
    looped.control.unanswered.add(({ uriText }) => unanswered.push(uriText));
    looped.stage.receive(
      requestText({
        ...{ method: 'INVITE', uri: 'sip:other@care.example', body: SDP },
        extra: [...OFFERS, `Via: SIP/2.0/UDP ${HOST}:5060;branch=z9hG4bKours`],
      }),
    );
    expect([statuses(at), statuses(looped), looped.requests('INVITE')]).toEqual([[404], [482], []]);
    // It has a callee; the report is about numbers that lead nowhere.
    expect(unanswered).toEqual([]);
  });
});

describe('a call to an alarm bridge', () => {
  it('is refused as long as no receiver takes it', async () => {
    const at = room();
    await at.invite('north');
    expect([statuses(at), warning(at)]).toEqual([
      [480],
      `399 ${HOST} "calls to receiver b are not taken by this appliance"`,
    ]);
    expect(at.control.keptLegs).toBe(0);
  });

  it('is handed over when its audio is open', async () => {
    const at = room();
    const received: ReceivedCall[] = [];
    at.control.takeReceivedBy((each) => received.push(each));
    await at.invite('north');
    expect(received).toMatchObject([{ bridgeId: 'b', caller: PHONE }]);
    expect(received[0]?.call.session.setting).toMatchObject({ purpose: 'alarm', keepsCaller: true });
    expect(received[0]?.call.plan.policy.profile).toBe('alarm');
  });
});

describe('a call to a program', () => {
  it('is refused without one that takes it, and handed over else', async () => {
    const refused = room();
    await refused.invite('menu');
    expect([statuses(refused), warning(refused)]).toEqual([
      [480],
      `399 ${HOST} "calls to application m are not taken by this appliance"`,
    ]);
    const at = room();
    const taken: string[] = [];
    at.control.onApplication.set('mediaservice', ({ service, id }) => taken.push(`${service} ${id}`));
    await at.invite('menu');
    expect(taken).toEqual(['mediaservice m']);
  });

  it('opens its audio beside that of the leg it may be joined with', async () => {
    const at = room();
    const opened: (string | undefined)[] = [];
    const { openLeg } = at.media;
    at.media.openLeg = (opening) => {
      opened.push(opening.near);
      return openLeg(opening);
    };
    at.control.onApplication.set('mediaservice', () => undefined);
    at.control.beside.set('mediaservice', (id) => `leg of ${id}`);
    await at.invite('menu');
    expect(opened).toEqual(['leg of m']);
  });
});

describe('a call that is waited for', () => {
  const claim = (route: Route, near?: string) => ({ route, near });
  it('goes where its claimant says, the latest first', async () => {
    const at = room();
    const asked: string[] = [];
    at.control.claimedBy(() => {
      asked.push('first added');
      return claim({ kind: 'refused', status: 480, text: 'later' });
    });
    at.control.claimedBy(({ uriText }) => {
      asked.push('last added');
      return uriText.includes('strange') ? claim({ kind: 'device', deviceId: 'other' }) : undefined;
    });
    await at.invite('strange');
    expect([asked, at.last('INVITE').uriText]).toEqual([['last added'], 'sip:other@192.0.2.2']);
    await at.invite('other', 'call-2');
    expect([asked.length, at.stage.statuses().at(-1)]).toEqual([3, 480]);
  });

  it('has its audio beside that of the leg that waits', async () => {
    const at = room();
    const opened: (string | undefined)[] = [];
    const { openLeg } = at.media;
    at.media.openLeg = (opening) => {
      opened.push(opening.near);
      const { near: _, ...alone } = opening;
      return openLeg(alone);
    };
    at.control.claimedBy(() => claim({ kind: 'device', deviceId: 'other' }, 'centre'));
    await at.invite('strange');
    expect(opened[0]).toBe('centre');
  });
});

describe('an emergency call', () => {
  it('is admitted as an alarm is: its caller, and whom it calls', async () => {
    const at = room();
    at.tenant.put('device', '112', deviceOf('112'));
    const urgent: (boolean | undefined)[] = [];
    const { openLeg } = at.media;
    at.media.openLeg = (opening) => {
      urgent.push(opening.urgent);
      return openLeg(opening);
    };
    await at.invite('112');
    await at.invite('other', 'call-2');
    expect(urgent).toEqual([true, true, undefined, undefined]);
    const [emergency, ordinary] = at.control.running;
    expect([emergency?.plan.policy.urgent, ordinary?.plan.policy.urgent]).toEqual([true, undefined]);
    expect(emergency?.session.setting.purpose).toBe('emergency');
  });
});

describe('audio that may run straight', () => {
  it('does so once both are on the line, and only there', async () => {
    const ordinary = await talking();
    expect(ordinary.requests('INVITE')).toHaveLength(1);
    const at = room();
    at.control.takeReceivedBy(({ call }) => {
      const { groups } = at.control.targetsTo(call, 'other');
      call.input({ kind: 'dial', groups: call.named(groups) });
    });
    await at.invite('north');
    await settled();
    await at.reply('INVITE', 200);
    at.inDialog('ACK', 1);
    // The callee is asked for an offer, which the caller gets.
    expect(at.requests('INVITE')).toHaveLength(2);
    expect(at.last('INVITE').body).toHaveLength(0);
  });
});

describe('a transfer', () => {
  it('is done by us, and its progress is reported', async () => {
    const at = await talking();
    at.inDialog('REFER', 2, ['Refer-To: <sip:other@care.example>', 'Contact: <sip:unit@192.0.2.1>']);
    await settled();
    expect(statuses(at).at(-1)).toBe(202);
    expect(at.requests('INVITE')).toHaveLength(2);
    const progress = () => at.requests('NOTIFY').map(({ body }) => body.toString().split('\r\n')[0]);
    expect(progress()).toEqual(['SIP/2.0 100 Trying']);
    await at.reply('INVITE', 200);
    expect(progress().at(-1)).toBe('SIP/2.0 200 OK');
    expect([at.control.size, at.control.legs]).toEqual([1, 2]);
  });
});

describe('an INVITE that replaces a dialog', () => {
  it('that is not here begins no call', async () => {
    const at = room();
    at.stage.receive(
      requestText({
        ...{ method: 'INVITE', uri: 'sip:other@care.example', body: SDP },
        extra: [...OFFERS, 'Replaces: strange;to-tag=a;from-tag=b'],
      }),
    );
    expect([statuses(at), at.control.size, at.requests('INVITE')]).toEqual([[481], 0, []]);
  });

  it('that is here takes the place of its peer, and the call of before goes on in it', async () => {
    const at = await talking();
    const { callId } = at.last('INVITE');
    const ours = at.last('INVITE').from.tag;
    at.stage.receive(
      requestText({
        ...{
          method: 'INVITE',
          uri: 'sip:other@care.example',
          body: SDP,
          callId: 'call-2',
          branch: 'z9hG4bKnew',
        },
        extra: [...OFFERS, `Replaces: ${callId};to-tag=${ours};from-tag=theirs`],
      }),
    );
    await settled();
    expect(statuses(at).at(-1)).toBe(200);
    expect([at.control.size, at.requests('BYE').length, at.over]).toEqual([1, 1, []]);
  });
});

describe('a request within a dialog', () => {
  it('that is not known is answered 481, and its ACK is passed over', () => {
    const at = room();
    at.stage.receive(requestText({ method: 'BYE', to: `<sip:us@${HOST}>;tag=strange` }));
    at.stage.receive(requestText({ method: 'ACK', to: `<sip:us@${HOST}>;tag=strange` }));
    expect([at.stage.statuses(), at.stage.defects]).toEqual([[481], []]);
  });

  it('is shown to the watcher of its call before it is acted upon', async () => {
    const at = await talking();
    const [call] = at.control.running;
    const seen: string[] = [];
    call?.watchedBy({ onRequest: ({ method }) => seen.push(`${method} in a call ${call.session.phase}`) });
    at.inDialog('BYE', 2);
    expect(seen).toEqual(['BYE in a call Talking']);
  });

  it('and a CANCEL of an INVITE that is not here ends that with 487', async () => {
    const at = room();
    at.control.cancelled(
      { respond: ({ status }: { readonly status: number }) => at.log.push(String(status)) } as never,
      0,
    );
    expect(at.log).toEqual(['487']);
  });
});

describe('a call of our own', () => {
  it('speaks with the first callee that answers', async () => {
    const at = room();
    const { call, progress } = at.place('other');
    await settled();
    expect([at.last('INVITE').uriText, at.control.size]).toEqual(['sip:other@192.0.2.2', 1]);
    await at.reply('INVITE', 180);
    await at.reply('INVITE', 200);
    expect(progress).toEqual(['ringing', 'attended']);
    call.input({ kind: 'hangUp' });
    expect([progress.at(-1), at.requests('BYE').length]).toEqual(['over', 1]);
    expect(at.control.size).toBe(0);
  });

  it('without a callee ends with the reason', () => {
    const at = room();
    const { call, progress } = at.place('strange');
    expect([progress, call.end?.cause, at.control.size]).toEqual([['over'], 404, 0]);
  });

  it('goes to the targets that were looked up before', async () => {
    const at = room();
    const found = at.control.targetsTo(at.place('away').call, 'other');
    at.place('strange', { found });
    await settled();
    expect(at.last('INVITE').uriText).toBe('sip:other@192.0.2.2');
  });

  it('asks where a destination would lead', () => {
    const { control } = room();
    expect(control.routeTo('other', ORDINARY_PLAN)).toMatchObject({ kind: 'device', deviceId: 'other' });
    expect(control.routeTo('menu', { ...ORDINARY_PLAN, mayReachServices: false })).toMatchObject({
      status: 482,
    });
  });

  it('answers a device at what it is registered by', () => {
    const { control } = room();
    const source = { address: '192.0.2.2', replyPath: undefined };
    const uris = (id: string) =>
      control.answering(id, source, ORDINARY_PLAN).map((group) => group.map(({ uri }) => uri));
    expect([uris('other'), uris('away')]).toEqual([[['sip:other@192.0.2.2']], []]);
  });
});

describe('a connection', () => {
  it('is used by the calls over it, each of which has a flow', async () => {
    const at = await talking();
    const [call] = at.control.running;
    const [, callee] = [...(call?.legs ?? [])];
    expect(at.control.flowOf(callee?.name ?? '')).toEqual(OTHER);
    expect([at.control.uses(OTHER), at.control.uses({ ...OTHER, connection: 99 })]).toEqual([true, false]);
    expect(at.control.flowOf('nowhere')).toBeUndefined();
  });

  it('that is lost has its ACK said again by another one of the same device', async () => {
    const at = await talking();
    at.control.connectionLost(udp);
    expect(at.requests('ACK')).toHaveLength(1);
    const next: Flow = { ...OTHER, connection: 9 };
    at.registered.splice(0, 1, { ...at.registered[0], flow: next } as never);
    at.control.connectionLost(OTHER);
    expect(at.requests('ACK')).toHaveLength(2);
    expect(at.stage.sent.at(-1)?.flow).toEqual(next);
  });
});

describe('a defect in one input', () => {
  it('is logged, and the next input is taken', async () => {
    const at = room();
    at.control.turn(() => {
      throw new Error('broken');
    });
    expect(at.log).toEqual(['error call.defect_caught']);
    await at.invite('away');
    expect(statuses(at)).toEqual([480]);
  });

  it('leaves its input whole when it is in an effect: the result comes later', () => {
    const at = room();
    const order: string[] = [];
    at.control.turn(() => {
      at.control.turn(() => order.push('second'));
      order.push('first');
    });
    expect(order).toEqual(['first', 'second']);
  });
});
