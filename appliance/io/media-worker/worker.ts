import { parentPort, workerData } from 'node:worker_threads';
import type { LegId } from '../../media/control/index.ts';
import { Engine, perform, WarmUp } from '../../media/engine/index.ts';
import { randomPool, srtpCrypto } from '../crypto/index.ts';
import { Descriptors, openRtpNetwork, openRtpPair, type RtpPair } from '../rtp-socket/index.ts';
import { putThreadAhead } from '../thread/index.ts';
import type { OpenAnswer, WorkerLoad, WorkerReply, WorkerRequest, WorkerSetting } from './message.ts';
import { ShareMeter } from './share-meter.ts';
import { SliceTimer } from './slice-timer.ts';

/** Entry of a media worker: the engine with sockets and a clock. Requests are done one after another. */
const port = parentPort;
if (port === null) throw new Error('worker.ts runs as a worker thread only');
const reply = (message: WorkerReply): void => port.postMessage(message);

const { worker, host4, host6, warmUpMs, tooLateMs, sureLegs, saturatedShare, epochNs, descriptors } =
  workerData as WorkerSetting;
// Each packet of a call has its time; what other threads do can wait for it.
putThreadAhead();
let slowSockets: string | undefined;
const network = await openRtpNetwork(new Descriptors(descriptors), (reason) => {
  slowSockets = reason;
});
const engine = new Engine({
  worker,
  crypto: srtpCrypto,
  random: randomPool(),
  tooLateMs,
  sureLegs,
  saturatedShare,
  startMs: performance.now(),
  wallOffsetMs: Date.now() - performance.now(),
  emit: (event) => {
    if (event.kind === 'lost') for (const leg of event.legs) closePair(leg);
    reply({ kind: 'event', event });
  },
  defect: (leg, cause) => reply({ kind: 'defect', leg, reason: textOf(cause) }),
});
const sinceEpochMs = Number(process.hrtime.bigint() - epochNs) / 1e6;
const meter = new ShareMeter();
const timer = new SliceTimer(engine, performance.now() - sinceEpochMs, {
  read: network.read,
  measure: (nowMs) => {
    const share = meter.read(nowMs);
    if (share !== undefined) engine.load.measured(nowMs, share, engine.legs);
  },
});
const pairs = new Map<LegId, RtpPair>();
let measured = { atMs: performance.now(), used: process.threadCpuUsage() };

const textOf = (cause: unknown): string =>
  cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);

async function open({
  opening,
  port: rtpPort,
}: Extract<WorkerRequest, { kind: 'open' }>): Promise<OpenAnswer> {
  const { family, leg } = opening;
  const pair = await openRtpPair(network, family === 6 ? host6 : host4, family, rtpPort);
  if (!pair.ok) {
    const { code, reason } = pair.error;
    return { ok: false, error: { code: code === 'PortTaken' ? code : 'NoPort', reason } };
  }
  const { rtp, rtcp } = pair.value;
  const opened = engine.open(opening, { rtp, rtcp });
  if (!opened.ok) {
    rtp.close();
    rtcp.close();
    return opened;
  }
  const one = opened.value;
  rtp.deliverTo((bytes, host, from, nowMs) => engine.rtp(one, bytes, host, from, nowMs));
  rtcp.deliverTo((bytes, host, from, nowMs) => engine.rtcp(one, bytes, host, from, nowMs));
  pairs.set(leg, pair.value);
  timer.wake();
  return { ok: true, value: { port: rtpPort, rtcpPort: rtpPort + 1, source: one.source } };
}

function closePair(leg: LegId): void {
  const pair = pairs.get(leg);
  pairs.delete(leg);
  pair?.rtp.close();
  pair?.rtcp.close();
}

function load(): WorkerLoad {
  const { atMs, used } = measured;
  measured = { atMs: performance.now(), used: process.threadCpuUsage() };
  const spentUs = measured.used.user + measured.used.system - used.user - used.system;
  const { lateness } = engine;
  return {
    legs: engine.legs,
    late: engine.load.late,
    overloaded: engine.load.overloaded,
    skippedTicks: engine.skippedTicks,
    overruns: engine.overruns,
    latenessP50Ms: lateness.quantileMs(0.5),
    latenessP99Ms: lateness.quantileMs(0.99),
    latenessMaxMs: lateness.maxMs,
    latenessSumMs: lateness.sumMs,
    lateness: lateness.histogram,
    cpuShare: spentUs / 1_000 / Math.max(1, measured.atMs - atMs),
  };
}

async function answer(request: WorkerRequest): Promise<void> {
  const { id } = request;
  timer.between();
  switch (request.kind) {
    case 'open':
      reply({ kind: 'opened', id, answer: await open(request) });
      return;
    case 'command': {
      const [name, leg] = request.command;
      reply({ kind: 'done', id, answer: perform(engine, request.command) });
      if (name === 'closeLeg') closePair(leg);
      timer.wake();
      return;
    }
    case 'load':
      reply({ kind: 'load', id, load: load() });
      return;
    case 'end':
      timer.stop();
      for (const leg of [...pairs.keys()]) {
        engine.closeLeg(leg);
        closePair(leg);
      }
      network.close();
      reply({ kind: 'ended', id });
      port?.close();
      return;
  }
}

const warmUp = new WarmUp(srtpCrypto);
for (const endMs = performance.now() + warmUpMs; performance.now() < endMs; ) warmUp.step();

let turn: Promise<void> = Promise.resolve();
port.on('message', (requests: readonly WorkerRequest[]) => {
  for (const request of requests)
    turn = turn
      .then(() => answer(request))
      .catch((cause: unknown) => {
        reply({ kind: 'defect', leg: '', reason: textOf(cause) });
        reply({ kind: 'failed', id: request.id });
      });
});
timer.start();
reply({ kind: 'ready', slowSockets });
