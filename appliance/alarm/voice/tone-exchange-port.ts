import type { Bs8521Fields } from '#shared/alarm-event/index.ts';
import type { Clock } from '#shared/clock.ts';
import type { AlarmProtocol } from '#shared/contract/provisioning/index.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import type { Media } from '../../media/control/index.ts';
import type { Handshake } from '../handshake/index.ts';
import type { ProfileTables } from '../profile/index.ts';
import type { ProtocolEvent } from '../protocol/index.ts';
import type { ToneTimer } from '../protocol/tone/index.ts';
import type { AlarmVoice } from './alarm-voice.ts';

/** Timers of the tone engine and of the link behind it; their names do not meet while both run. */
export type ToneConversationTimer = `ask ${ToneTimer}` | `link ${string}` | 'command echo' | 'call again';

export interface ConversationPorts {
  readonly clock: Clock;
  readonly media: Pick<Media, 'play' | 'stop' | 'listen'>;
  readonly voice: AlarmVoice;
  readonly profiles: ProfileTables;
  readonly run: KernelPorts['run'];
  readonly log: KernelPorts['log'];
  readonly event: (said: ProtocolEvent, protocol: AlarmProtocol) => void;
  readonly start: (timer: ToneConversationTimer, ms: number) => void;
  readonly stop: (timer: ToneConversationTimer) => void;
  /** A string of this protocol was taken. */
  readonly spoke: (protocol: string) => void;
  readonly handshake: (handshake: Handshake) => void;
  /** The unit as it is provisioned: it may stand behind a controller whatever its string says. */
  readonly provisioned: (fields: Bs8521Fields) => Bs8521Fields;
  readonly isScheme: (controllerId: string) => boolean;
  /** The next alarm of this call has a session under this name. */
  readonly named: (name: string) => void;
  readonly over: () => void;
}
