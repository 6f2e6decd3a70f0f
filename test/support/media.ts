import { randomBytes } from 'node:crypto';
import { srtpCrypto } from '#appliance/io/crypto/index.ts';
import { type Place, placeLeg } from '#appliance/io/media-worker/placement.ts';
import { pcma, pcmu } from '#appliance/media/audio/index.ts';
import type { LegId, Media, MediaEvent, MediaFault, PreparedPrompt } from '#appliance/media/control/index.ts';
import { commandsOver, Engine, type Leg, perform, SLICE_MS, SLICES } from '#appliance/media/engine/index.ts';
import { Listeners } from '#shared/listeners.ts';
import { ok, type Result } from '#shared/result.ts';
import { Phone, type PhoneSetting } from './phone.ts';

/** A datagram on the fake network. */
export interface Datagram {
  readonly fromHost: string;
  readonly fromPort: number;
  readonly toHost: string;
  readonly toPort: number;
  readonly bytes: Uint8Array;
}

/** Packets sent there come back to the sender. */
const LOOPBACK = '127.0.0.1';
const FIRST_PORT = 20_000;
const PHONE_EVERY_MS = 20;
const TICK_MS = SLICES * SLICE_MS;
const NOTHING_PASSES = (_nowMs: number): void => undefined;
/** Slices that a late worker catches up. */
const MOST_OWED = 5 * SLICES;

/**
 * A `Media` that runs the real engine in process, on a fake clock and a fake network. Nothing happens but in `advance`:
 * phones send, slices run, packets are delivered at once.
 *
 * ```
 *   const net = testMedia();
 *   const phone = net.phone({ host: '192.0.2.20', port: 4_000 });
 *   const opened = await net.media.openLeg({ leg: 'a', profile: 'ordinary', family: 4 });
 *   await net.media.updateLeg('a', phone.stream());        phone.talkTo(opened.value.port);
 *   phone.say(…); net.advance(1_000); phone.heard; net.events
 * ```
 */
export function testMedia({ host = '192.0.2.10', startMs = 1_000, random = randomBytes as Random } = {}) {
  const events: MediaEvent[] = [];
  const phones: Phone[] = [];
  const legs = new Map<number, { readonly leg: Leg; readonly rtcp: boolean }>();
  const ports = new Map<LegId, number>();
  /** Every datagram that left a leg. */
  const sent: Datagram[] = [];
  let nowMs = startMs;
  let nextPort = FIRST_PORT;
  let refusal: MediaFault | null = null;
  let engine = newEngine();

  function newEngine(): Engine {
    return new Engine({
      worker: 0,
      crypto: srtpCrypto,
      random,
      startMs: nowMs,
      wallOffsetMs: 1_770_000_000_000,
      emit,
      // A defect is a failed test, whatever it goes on with.
      defect: (_, cause) => {
        throw cause;
      },
    });
  }

  function emit(event: MediaEvent): void {
    events.push(event);
    media.events.emit(event);
  }

  /** Lets the test lose or change datagrams; false: it is lost. */
  const network = {
    carries: (_: Datagram): boolean => true,
    /** Called before each step of 5 ms: packets under way for a while arrive now. */
    passes: NOTHING_PASSES,
  };
  /** The thread of the engine gets no time before this; what comes for it waits in its sockets. */
  let stalledUntilMs = 0;
  let owed = 0;
  /** Slices that the engine has made. */
  let made = 0;
  const waiting: (() => void)[] = [];

  function deliver(datagram: Datagram): void {
    if (!network.carries(datagram)) return;
    const { fromHost, fromPort, toHost, toPort } = datagram;
    const bytes = datagram.bytes.slice();
    if (toHost === host || toHost === LOOPBACK) {
      const arrive = (): void => {
        const to = legs.get(toPort);
        if (to?.rtcp) to.leg.rtcpDatagram(bytes, fromHost, fromPort, nowMs);
        else to?.leg.rtp(bytes, fromHost, fromPort, nowMs);
      };
      if (nowMs < stalledUntilMs) waiting.push(arrive);
      else arrive();
      return;
    }
    for (const phone of phones) {
      if (phone.host === toHost && (phone.port === toPort || phone.port + 1 === toPort)) {
        phone.receive(bytes, nowMs);
      }
    }
  }

  const portOf = (fromPort: number) => ({
    send(bytes: Uint8Array, toHost: string, toPort: number) {
      const fromHost = toHost === LOOPBACK ? LOOPBACK : host;
      const datagram = { fromHost, fromPort, toHost, toPort, bytes: bytes.slice() };
      sent.push(datagram);
      deliver(datagram);
    },
  });

  const media: Media = {
    ...commandsOver((command) => {
      const answer = perform(engine, command);
      const [name, leg] = command;
      if (name === 'closeLeg') close(leg);
      return Promise.resolve(answer);
    }),
    openLeg(opening) {
      if (refusal !== null) return Promise.resolve({ ok: false, error: refusal } as const);
      const placed = placeLeg([placeOf()], opening, opening.near === undefined ? undefined : placeOf());
      if (!placed.ok) return Promise.resolve(placed);
      const port = nextPort;
      const opened = engine.open(opening, { rtp: portOf(port), rtcp: portOf(port + 1) });
      if (!opened.ok) return Promise.resolve(opened);
      nextPort += 2;
      ports.set(opening.leg, port);
      legs.set(port, { leg: opened.value, rtcp: false });
      legs.set(port + 1, { leg: opened.value, rtcp: true });
      return Promise.resolve(ok({ port, rtcpPort: port + 1, source: opened.value.source }));
    },
    events: new Listeners(),
  };

  /** The one worker, as the admission of legs sees it. */
  const placeOf = (): Place => {
    const { late, overloaded } = engine.load;
    return { ready: true, late, overloaded, legs: engine.legs };
  };

  function close(leg: LegId): void {
    const port = ports.get(leg) ?? 0;
    ports.delete(leg);
    legs.delete(port);
    legs.delete(port + 1);
  }

  function step(): void {
    for (const [index, phone] of phones.entries()) {
      if ((nowMs + index * SLICE_MS) % PHONE_EVERY_MS === 0) phone.tick();
    }
    network.passes(nowMs);
    owed++;
    if (nowMs >= stalledUntilMs) caughtUp();
    nowMs += SLICE_MS;
  }

  /** As the worker does it: sockets first, then every slice that is due, and what is too much is left out. */
  function caughtUp(): void {
    for (const arrive of waiting.splice(0)) arrive();
    const overdueTicks = Math.ceil((owed - 1 - MOST_OWED) / SLICES);
    if (overdueTicks > 0) {
      engine.leap(overdueTicks);
      made += overdueTicks * SLICES;
      owed -= overdueTicks * SLICES;
    }
    for (; owed > 0; owed--) {
      engine.slice(nowMs, (owed - 1) * SLICE_MS);
      made++;
    }
  }

  /** Whole ticks without a leg and without a word: the engine sleeps through them, as its worker does. */
  function sleepTo(endMs: number): void {
    const ticks = Math.floor((endMs - nowMs) / TICK_MS);
    const isStill = engine.idle && owed === 0 && waiting.length === 0 && network.passes === NOTHING_PASSES;
    if (ticks < 1 || made % SLICES !== 0 || !isStill || !phones.every((phone) => phone.isStill)) return;
    for (const phone of phones) phone.pass(ticks);
    made += ticks * SLICES;
    engine.begin(made / SLICES);
    nowMs += ticks * TICK_MS;
  }

  function advanceTo(endMs: number): void {
    while (nowMs + SLICE_MS <= endMs) {
      sleepTo(endMs);
      if (nowMs + SLICE_MS <= endMs) step();
    }
  }

  return {
    media,
    events,
    sent,
    network,
    /** The thread of the engine gets no time for so long. */
    stall(ms: number): void {
      stalledUntilMs = nowMs + ms;
    },
    host,
    get engine() {
      return engine;
    },
    get nowMs() {
      return nowMs;
    },
    /** Legs that are open now. */
    get openLegs(): readonly LegId[] {
      return [...ports.keys()];
    },
    /** Time passes, in steps of 5 ms. */
    advance(ms: number): void {
      advanceTo(Math.ceil(ms / SLICE_MS) * SLICE_MS + nowMs);
    },
    /** For who has a clock of its own. */
    advanceTo,
    /** Silence for so long that no slice of it is made: only without legs. */
    leapTo(monoMs: number): void {
      nowMs += Math.floor((monoMs - nowMs) / SLICE_MS) * SLICE_MS;
    },
    /** A telephone on the network. */
    phone(setting: PhoneSetting): Phone {
      const phone: Phone = new Phone(
        { crypto: srtpCrypto, ...setting },
        (bytes, toPort) =>
          deliver({ fromHost: phone.host, fromPort: phone.port, toHost: host, toPort, bytes }),
        (port) => legs.has(port),
      );
      phones.push(phone);
      return phone;
    },
    /** A datagram from anywhere to a port of ours. */
    inject: (from: { readonly host: string; readonly port: number }, toPort: number, bytes: Uint8Array) =>
      deliver({ fromHost: from.host, fromPort: from.port, toHost: host, toPort, bytes }),
    /** From now on no leg is opened, for this reason; null: again. */
    refuseLegs(fault: MediaFault | null): void {
      refusal = fault;
    },
    /** The worker dies: its legs and conferences are lost, and it starts again. */
    crash(conferences: readonly string[] = []): void {
      const lost = [...ports.keys()];
      for (const leg of lost) close(leg);
      engine = newEngine();
      made = 0;
      emit({ kind: 'lost', worker: 0, legs: lost, conferences });
    },
    eventsOf: <K extends MediaEvent['kind']>(kind: K) =>
      events.filter((event): event is Extract<MediaEvent, { kind: K }> => event.kind === kind),
  };
}

type Random = (length: number) => Uint8Array;
export type TestMedia = ReturnType<typeof testMedia>;

/** The value of an answer that must be good. */
export function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.reason}`);
  return result.value;
}

/** A prompt as the prompt worker would prepare it. */
export function preparedPrompt(samples: Int16Array): PreparedPrompt {
  const pcm = new SharedArrayBuffer(samples.length * 2);
  const alaw = new SharedArrayBuffer(samples.length);
  const ulaw = new SharedArrayBuffer(samples.length);
  new Int16Array(pcm).set(samples);
  pcma.encode(samples, new Uint8Array(alaw), 0);
  pcmu.encode(samples, new Uint8Array(ulaw), 0);
  return { samples: samples.length, pcm, alaw, ulaw };
}
