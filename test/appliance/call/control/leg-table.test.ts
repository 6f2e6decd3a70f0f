import { beforeEach, describe, expect, it } from 'vitest';
import { ORDINARY_POLICY, type SipLegUser } from '#appliance/call/control/index.ts';
import { LegTable } from '#appliance/call/control/leg/leg-table.ts';
import { EngineTimers } from '#appliance/kernel/engine-timers.ts';
import type { Flow, ServerTransaction } from '#appliance/sip/endpoint/index.ts';
import type { SipRequest } from '#appliance/sip/message/index.ts';
import { requestText, Stage, seededBytes, tcp, udp } from '#test/appliance/sip/endpoint/stage.ts';
import { testMedia } from '#test/support/media.ts';
import { testNetwork } from '#test/support/network.ts';

const SDP = `v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=-\r\nc=IN IP4 192.0.2.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 8\r\n`;

const settings = {
  contact: '<sip:us@192.0.2.254>',
  allow: ['INVITE', 'ACK', 'BYE', 'CANCEL'],
  timer: { expiresS: 1_800, minSeS: 90 },
  t1Ms: 500,
  t2Ms: 4_000,
  reliableProvisional: true,
};

let stage: Stage;
let legs: LegTable;
let timers: EngineTimers;
let events: string[];
/** A lookup that fails, as in a host without a name server. */
const { lookup } = testNetwork();

/** Every event of a leg by its name; a caller is answered at once unless a test says otherwise. */
const user = (answers: boolean): SipLegUser =>
  new Proxy({} as SipLegUser, {
    get: (_, name: string) => (leg: { accept: () => void }) => {
      events.push(name);
      if (name === 'ready' && answers) leg.accept();
    },
  });

beforeEach(() => {
  events = [];
  const found = (request: SipRequest) => legs.byRequest(request);
  stage = new Stage({
    effects: {
      deliver: (request, server, flow) => deliver(request, server, flow),
      acknowledged: (ack) => found(ack)?.leg.acknowledged(found(ack)?.tag ?? '', ack),
    },
  });
  const clock = { monoMs: () => stage.nowMs, wallMs: () => stage.nowMs };
  timers = new EngineTimers({ clock }, (cause) => stage.defects.push(String(cause)));
  const { media } = testMedia();
  const ports = {
    clock,
    timers,
    random: seededBytes(2),
    run: () => undefined,
    place: { address: '192.0.2.254' },
  };
  legs = new LegTable(ports, { endpoint: stage.endpoint, media, lookup, turn: (work) => work() });
});

const planOf = (name: string, flow: Flow) => ({
  name,
  flow,
  policy: ORDINARY_POLICY,
  address: '192.0.2.254',
  settings,
});

let answers = true;
function deliver(request: SipRequest, server: ServerTransaction, flow: Flow): void {
  const found = legs.byRequest(request);
  if (found !== undefined) {
    found.leg.requested(found.tag, request, server);
    return;
  }
  const leg = legs.open(planOf(request.callId, flow), user(answers));
  legs.invited(server, leg);
  leg.arrive(request, server);
}

/** Lets time pass from deadline to deadline, of transactions and of legs. */
function pass(ms: number): void {
  stage.pass(ms, timers);
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
const send = (method: string, more: Parameters<typeof requestText>[0] = {}, flow = udp): void =>
  stage.receive(
    requestText({
      method,
      branch: `z9hG4bK${method}`,
      callId: 'call-1',
      ...(method === 'INVITE' && {
        body: SDP,
        extra: ['Contact: <sip:unit@192.0.2.1>', 'Content-Type: application/sdp'],
      }),
      ...more,
    }),
    flow,
  );
const toTag = (): string => stage.responses().find(({ to }) => to.tag !== undefined)?.to.tag ?? '';
const inDialog = (method: string, cseq: number): void =>
  send(method, { cseq: `${cseq} ${method}`, to: `<sip:receiver@192.0.2.254>;tag=${toTag()}` });

async function onTheLine(): Promise<void> {
  send('INVITE');
  await settled();
  inDialog('ACK', 1);
}

describe('the table of legs', () => {
  beforeEach(() => {
    answers = true;
  });

  it('finds a leg by its name, its dialog and the requests within it', async () => {
    await onTheLine();
    expect(events).toEqual(['ready', 'acknowledged']);
    expect([legs.size, legs.kept]).toEqual([1, 1]);
    expect(legs.leg('call-1')?.state).toBe('up');
    expect(legs.firstOf(undefined, 'call-0', 'call-1', 'call-2')).toBe('call-1');
    inDialog('BYE', 2);
    expect(stage.statuses().at(-1)).toBe(200);
    expect(events).toEqual(['ready', 'acknowledged', 'ended']);
  });

  it('answers a dialog that ended as unknown, and keeps no leg and no timer of it', async () => {
    await onTheLine();
    inDialog('BYE', 2);
    expect(stage.statuses().at(-1)).toBe(200);
    pass(64_000);
    expect([legs.size, legs.kept, timers.size]).toEqual([0, 0, 0]);
    expect(legs.firstOf('call-1')).toBeUndefined();
    expect(stage.defects).toEqual([]);
  });

  it('keeps a leg that the peer never acknowledged until its BYE is over', async () => {
    send('INVITE');
    await settled();
    pass(33_000);
    const { length } = stage.requests().filter(({ method }) => method === 'BYE');
    expect(length).toBeGreaterThan(0);
    expect([legs.size, legs.kept]).toEqual([0, 1]);
    pass(64_000);
    expect([legs.kept, timers.size]).toEqual([0, 0]);
  });

  it('finds the leg of an INVITE for its CANCEL as long as it has no final answer', async () => {
    answers = false;
    let waiting: ServerTransaction | undefined;
    const invited = legs.invited.bind(legs);
    legs.invited = (server, leg) => {
      waiting = server;
      invited(server, leg);
    };
    send('INVITE');
    await settled();
    if (waiting === undefined) throw new Error('no INVITE came');
    const leg = legs.byInvite(waiting);
    expect(leg?.name).toBe('call-1');
    leg?.cancelled(waiting);
    expect(stage.statuses().at(-1)).toBe(487);
    pass(64_000);
    expect([legs.byInvite(waiting), legs.kept, timers.size]).toEqual([undefined, 0, 0]);
  });

  it('keeps a leg that was cancelled and has no final answer for 64 x T1, and forgets it then', async () => {
    const leg = legs.open(planOf('out', udp), user(false));
    leg.call({
      target: 'sip:unit@192.0.2.1',
      localAddress: '<sip:us@192.0.2.254>',
      remoteAddress: '<sip:unit@192.0.2.1>',
      localTag: 'ours',
      callId: 'out-1',
      cseq: 1,
    });
    await settled();
    const [invite] = stage.requests();
    const copied = ['Via', 'From', 'To', 'Call-ID', 'CSeq'].map((name) => `${name}: ${invite?.header(name)}`);
    stage.receive(['SIP/2.0 180 Ringing', ...copied, 'Content-Length: 0', '', ''].join('\r\n'));
    leg.end();
    expect([legs.size, legs.kept, stage.requests().at(-1)?.method]).toEqual([0, 1, 'CANCEL']);
    pass(31_999);
    expect(legs.kept).toBe(1);
    pass(1);
    expect([legs.kept, timers.size]).toEqual([0, 0]);
  });

  it('says which connections its legs need', async () => {
    send('INVITE', {}, tcp);
    await settled();
    expect([legs.uses(tcp), legs.uses({ ...tcp, connection: 8 })]).toEqual([true, false]);
  });
});
