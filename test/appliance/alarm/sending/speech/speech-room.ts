import { SpeechRelays } from '#appliance/alarm/sending/speech/speech-relays.ts';
import type { TalkDevice } from '#appliance/alarm/sending/speech/talk-device.ts';
import type { CallProgress, EndReason } from '#appliance/call/session/index.ts';
import { EngineTimers } from '#appliance/kernel/engine-timers.ts';
import { planOf } from '../attempt/attempt-room.ts';

export const ARC = 'sip:arc@example.com';
export const UNIT = 'sip:unit@care.example';

interface PlacedCall {
  readonly destination: string;
  readonly received: Set<string>;
  readonly leg: string;
  readonly changed: (change: object) => void;
}

/** Talks between a receiver and a device, at a call control that writes down what is asked of it. */
export function speechRoom() {
  let nowMs = 0;
  const clock = { monoMs: () => nowMs, wallMs: () => nowMs };
  const timers = new EngineTimers({ clock }, (defect) => {
    throw defect;
  });
  const done: string[] = [];
  const placed: PlacedCall[] = [];

  /** A call, ours or one that has arrived; a hang-up of ours ends it. */
  function callTo(destination: string, onProgress?: (progress: CallProgress) => void) {
    const leg = `leg ${placed.length + 1}`;
    const watchers: {
      readonly onProgress?: (change: object) => void;
      readonly onMedia?: (event: object) => void;
    }[] = [];
    const change = (one: object): void => {
      onProgress?.(one as CallProgress);
      for (const watcher of watchers) watcher.onProgress?.(one);
    };
    const detected = new Set<string>();
    placed.push({ destination, received: detected, leg, changed: change });
    return {
      id: `call ${placed.length}`,
      session: { party: leg },
      audibleLegs: detected,
      watchedBy: (watcher: object) => void watchers.push(watcher),
      input: (input: { readonly kind: string; readonly reason?: EndReason }) => {
        done.push(`${input.kind} ${destination}`);
        if (input.kind === 'hangUp') change({ kind: 'over', reason: input.reason });
      },
      media: (event: object) => {
        for (const watcher of watchers) watcher.onMedia?.({ leg, ...event });
      },
    };
  }
  const active: ReturnType<typeof callTo>[] = [];
  const ok = async () => ({ ok: true }) as const;
  const media = {
    connect: async (a: string, b: string) => {
      done.push(`connect ${a} ${b}`);
      return { ok: true };
    },
    disconnect: async (leg: string) => {
      done.push(`disconnect ${leg}`);
      return { ok: true };
    },
    play: ok,
    listen: ok,
    sendDigits: ok,
  };
  const relays = new SpeechRelays(
    {
      clock,
      timers,
      run: () => undefined,
      tenant: () => ({ domain: 'care.example', byId: () => undefined }),
      journal: { commit: async () => undefined },
    } as never,
    {
      called: {
        strings: { listen: () => ({ sound: () => undefined, said: () => undefined, over: () => undefined }) },
        profiles: {},
        registrations: { contactsOf: () => [] },
        reply: { sayAt: () => undefined },
      },
      calls: {
        turn: (work: () => void) => work(),
        flowOf: () => undefined,
        place: ({
          destination,
          onProgress,
        }: {
          readonly destination: string;
          readonly onProgress: () => void;
        }) => {
          done.push(`call ${destination}`);
          const call = callTo(destination, onProgress);
          active.push(call);
          return call;
        },
      },
      media,
      alarms: { raise: ({ error }: { readonly error: string }) => void done.push(`raise ${error}`) },
      turn: (work: () => void) => work(),
      commandForwarded: (session: string, command: string) =>
        void done.push(`command ${command} to the device of ${session}`),
    } as never,
  );
  const latest = (destination: string): PlacedCall => {
    const found = placed.findLast((call) => call.destination === destination);
    if (found === undefined) throw new Error(`${destination} was not called`);
    return found;
  };
  return {
    relays,
    done,
    timers,
    callTo,
    plan: (order: Readonly<Record<string, unknown>> = {}, voice: Readonly<Record<string, unknown>> = {}) =>
      planOf({
        order: {
          event: { audio: 'duplex' },
          callingParty: 'unit',
          voice: {
            destination: UNIT,
            transparent: false,
            tones: { towardsReceiver: 'inaudio', towardsDevice: 'inaudio' },
            ...voice,
          },
          ...order,
        },
        target: { protocol: 'scaip', headers: [], deadlineMs: 600_000, voiceFrom: (user: string) => user },
        address: { destination: ARC, from: { user: 'unit', host: '' }, login: undefined },
      }),
    /** The call there was answered, once, and audio came from it. */
    answers: (destination: string): void => {
      const call = latest(destination);
      if (call.received.has(call.leg)) return;
      call.received.add(call.leg);
      call.changed({ kind: 'attended' });
    },
    over: (destination: string, reason: EndReason) => latest(destination).changed({ kind: 'over', reason }),
    /** The receiver says a digit in its call. */
    digit: (digit: string) => active[0]?.media({ kind: 'digit', edge: 'end', digit }),
    at: (ms: number) => {
      nowMs = ms;
      timers.advance(ms);
    },
    now: () => nowMs,
    /** Everything that a step brings about, in order. */
    after: (step: () => unknown): string[] => {
      done.length = 0;
      step();
      return [...done];
    },
  };
}

/** The device of a forwarded alarm, which has a call and a session of its own. */
export const ownDevice = (done: string[]): TalkDevice => ({
  leg: 'device',
  protocol: undefined,
  command: (command) => void done.push(`device gets ${command}`),
  joined: () => void done.push('device is joined'),
  left: (_reason, hasHungUp) => void done.push(hasHungUp ? 'receiver has hung up' : 'receiver was lost'),
  clear: () => void done.push('device is cleared'),
});
