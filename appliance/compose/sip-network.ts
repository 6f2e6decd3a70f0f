import type { ApplianceEngine } from '../engine/engine.ts';
import { type MessageTap, SipNetwork } from '../io/sip-transport/index.ts';
import type { Log } from '../io/system/index.ts';
import { clock } from './adapters.ts';
import type { OpenSound } from './sound.ts';

interface NetworkParts {
  readonly runtime: Pick<ApplianceEngine, 'message' | 'flowFailed' | 'flowInUse'>;
  readonly sound: Pick<OpenSound, 'received'>;
  readonly trustPem: string | undefined;
  /** Captures what comes and goes; undefined: nothing is captured. */
  readonly tap: MessageTap | undefined;
  readonly log: Log;
}

/** The sockets of SIP, not yet listening: what comes goes into the loop. */
export const openNetwork = ({ runtime, sound, trustPem, tap, log }: NetworkParts): SipNetwork =>
  new SipNetwork(
    {
      message: (flow, bytes) => {
        sound.received(bytes);
        runtime.message(flow, bytes);
      },
      closed: (flow) => runtime.flowFailed(flow),
      failed: (flow) => runtime.flowFailed(flow),
      inUse: (flow) => runtime.flowInUse(flow),
    },
    {
      monoMs: clock.monoMs,
      report: ({ kind, ...event }) =>
        kind === 'overloaded'
          ? log('warn', 'sip_transport.datagrams_dropped', 'Dropped SIP datagrams that found no room', event)
          : log('debug', 'sip_transport.reported', 'The SIP transport reported an event', { ...event, kind }),
      ...(tap && { tap }),
      ...(trustPem === undefined ? {} : { trust: [trustPem] }),
    },
  );
