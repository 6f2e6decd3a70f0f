import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { OutboxPolicy } from '#appliance/delivery/outbox/index.ts';
import type { EnginePorts } from '#appliance/engine/engine-port.ts';
import { randomPool } from '#appliance/io/crypto/index.ts';
import { openMedia } from '#appliance/io/media-worker/index.ts';
import { openLookup } from '#appliance/io/resolve/index.ts';
import { digestCrypto, SipNetwork } from '#appliance/io/sip-transport/index.ts';
import { openJournal } from '#appliance/io/sqlite/index.ts';
import { openTimers } from '#appliance/kernel/engine-timers.ts';
import { fail } from '#shared/result.ts';
import { benchCapture } from '../capture/bench-capture.ts';
import { engineLoop } from '../support/engine-loop.ts';
import { Calling } from './calling.ts';
import type { CallsAsk, CallsReady, CallsReport, CallsSetting } from './calls-setting.ts';
import { DatagramClock } from './datagram-clock.ts';
import { fixedTenant } from './fixed-tenant.ts';
import { type Served, serveParent } from './serve-parent.ts';
import { silentMedia } from './silent-media.ts';

const LOCAL = { host: '127.0.0.1', port: 0 };
/** 6,000 pairs: at 400 calls a second 4,000 of them rest (`io/rtp-socket`), and none is refused for want of one. */
const RTP_PORTS = { from: 20_000, to: 31_999 };

async function start(setting: CallsSetting): Promise<Served<CallsReady, CallsAsk, CallsReport>> {
  const journal = await openJournal({ file: join(setting.folder, 'journal.db') });
  const random = randomPool();
  const rate = setting.clockRate ?? 1;
  const monoMs = () => performance.now() * rate;
  const clock = { wallMs: () => Math.floor(performance.timeOrigin + monoMs()), monoMs };
  const datagrams = new DatagramClock();
  const logged: string[] = [];
  const log: EnginePorts['log'] = (level, event, message, detail) => {
    if (level === 'error' || level === 'warn')
      logged.push(`${level} ${event} ${message} ${JSON.stringify(detail ?? {})}`);
  };
  const capture = await benchCapture(setting, (reason) => logged.push(reason));
  const media =
    setting.media === 'none' ? silentMedia() : await openMedia({ ports: RTP_PORTS, workers: 1, log });
  const tenant = fixedTenant({
    folder: setting.folder,
    domain: setting.domain,
    part: 'whole',
    bridges: [
      {
        id: 'bridge',
        name: 'Bench',
        protocol: 'voicecall',
        destinationMatch: `^${setting.answered}$`,
        callbackBaseUrl: 'https://127.0.0.1/event',
        restAuthentication: [],
      },
    ],
    devices: setting.called.map((deviceId) => ({ deviceId })),
    trunks: [{ id: 'carrier', direction: 'in', ipAllowList: [setting.trunkAddress] }],
  });
  const loop = engineLoop(rate, (cause) => logged.push(`defect ${cause}`));
  const ports: EnginePorts = {
    clock,
    wakeBy: loop.wakeBy,
    timers: openTimers({ clock, wakeBy: loop.wakeBy, log }),
    traceMs: () => performance.timeOrigin + monoMs(),
    random,
    journal,
    media,
    call: async () => {
      throw new Error('a call has no callbacks here');
    },
    signReply: () => new Uint8Array(64),
    sha256Hex: (bytes) => createHash('sha256').update(bytes).digest('hex'),
    inflate: () => undefined,
    deflate: (bytes) => bytes,
    tenant: () => tenant,
    place: {
      siteId: 'bench',
      hostId: 'bench',
      siteBaseUrl: 'https://127.0.0.1',
      address: LOCAL.host,
      epoch: 1,
    },
    log,
    run: (work) => void work.catch((cause: unknown) => logged.push(`defect ${cause}`)),
  };
  const calling = new Calling(ports, {
    crypto: digestCrypto(),
    outbox: new OutboxPolicy({
      now: { wallMs: clock.wallMs(), monoMs: clock.monoMs() },
      runningMs: journal.runningMs,
      random: Math.random,
    }),
    send: (flow, bytes) => network.send(flow, bytes),
    connect: async () => fail('Unreachable', 'devices are called where they registered'),
    lookup: openLookup({ monoMs: clock.monoMs }),
    contactAt: (flow) => `${LOCAL.host}:${flow.localPort}`,
  });
  const network: SipNetwork = new SipNetwork(
    {
      message: (flow, bytes) => {
        datagrams.begin();
        calling.message(flow, bytes);
      },
      closed: (flow) => calling.flowFailed(flow),
      failed: (flow) => calling.flowFailed(flow),
    },
    { monoMs: clock.monoMs, ...(capture && { tap: capture.sip }) },
  );
  await network.open([LOCAL], [LOCAL]);
  loop.drive(calling);
  return {
    ready: { port: network.bound.find(({ transport }) => transport === 'UDP')?.port ?? 0 },
    async answer(asked) {
      if (asked === 'weigh') await collected();
      if (asked === 'capture on' || asked === 'capture off') capture?.switchTo(asked === 'capture on');
      if (asked === 'time') datagrams.start();
      const times = asked === 'time' ? undefined : datagrams.take();
      const { calls, endpoint } = calling;
      const { heapUsed, rss } = process.memoryUsage();
      return {
        calls: calls.size,
        legs: calls.legs,
        keptLegs: calls.keptLegs,
        transactions: endpoint.serverCount + endpoint.clientCount,
        heapBytes: heapUsed,
        residentBytes: rss,
        defects: endpoint.counts.defects,
        times,
        logged: logged.splice(0),
      };
    },
    async close() {
      loop.stop();
      await network.close();
      await capture?.close();
      await media.close();
      await journal.close();
    },
  };
}

/** Several times: what a collection sets free may hold what the next one finds. */
async function collected(): Promise<void> {
  for (let round = 0; round < 4; round++) {
    await new Promise((resolve) => setImmediate(resolve));
    globalThis.gc?.();
  }
}

serveParent(start);
