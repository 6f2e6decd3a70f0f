import type { AlarmEvent, DeviceCommand, SourceAlarmEvent } from '#shared/alarm-event/index.ts';
import type { ListEffect, ListInput } from '../emergency-list/index.ts';
import type {
  AnsweredVoice,
  Decision,
  EventKind,
  ProtocolEvent,
  RaisedAlarm,
  VoiceDirection,
  Withdrawal,
} from '../protocol/index.ts';

/** Timers of a session. `callback` guards the live callback, `voice` the call that must come. */
export type SessionTimer =
  | 'callback'
  | 'voice'
  | 'redial'
  | 'keepAlive'
  | 'maxDuration'
  | 'clearDown'
  /** The first thing that is due in the emergency list. */
  | 'list';

/** Parameters of sendTones. */
export interface CommandParameters {
  readonly toneString?: string;
  /** ms for each tone. */
  readonly duration?: number;
}

/** Everything that can happen to a session. `at`: monotonic ms. */
export type SessionInput =
  | ({ readonly type: 'event'; readonly at: number } & ProtocolEvent)
  | { readonly type: 'stored'; readonly at: number; readonly ordinal: number }
  | { readonly type: 'storeFailed'; readonly at: number; readonly ordinal: number; readonly reason: string }
  /** Body of the application's answer, parsed; an event map that drops answers `{action: 'drop'}`. */
  | { readonly type: 'callbackAnswered'; readonly at: number; readonly body: unknown }
  | { readonly type: 'callbackFailed'; readonly at: number; readonly reason: string }
  /** The protocol machine has answered the device. */
  | { readonly type: 'answered'; readonly at: number; readonly voice: AnsweredVoice }
  /** The same unit has said in a conversation of its own that there is no alarm any more; that event has a session of its own. */
  | { readonly type: 'withdrawn'; readonly at: number; readonly by: Withdrawal }
  /** The device never came back for its answer. */
  | { readonly type: 'deviceGone'; readonly at: number; readonly reason: string }
  | { readonly type: 'voiceArrived'; readonly at: number }
  /** Another session of the same alarm has the call of its device, or calls it: none need come for this one. */
  | { readonly type: 'voiceElsewhere'; readonly at: number }
  /** Our call to the device failed. */
  | { readonly type: 'voiceFailed'; readonly at: number; readonly reason: string }
  /** People have answered, and the device is joined with them. */
  | { readonly type: 'voiceJoined'; readonly at: number }
  /** The destination did not answer after all its calls. */
  | {
      readonly type: 'voiceUnreached';
      readonly at: number;
      readonly reason: string;
      /** The destination that was called; absent: there was none. */
      readonly destination?: string;
    }
  /** `isCutOff`: neither side has hung up, the call broke off; a lost centre is called again. */
  | {
      readonly type: 'voiceEnded';
      readonly at: number;
      readonly by: 'device' | 'arc';
      readonly isCutOff?: boolean;
    }
  | {
      readonly type: 'command';
      readonly at: number;
      readonly id: string;
      readonly command: DeviceCommand;
      readonly parameters?: CommandParameters;
    }
  | { readonly type: 'hangup'; readonly at: number; readonly id: string }
  /** Something happened to the people who are called. */
  | { readonly type: 'list'; readonly at: number; readonly input: TimelessListInput }
  | { readonly type: 'timer'; readonly at: number; readonly timer: SessionTimer }
  /** First input after a restart; the events of the session were found in the journal. `ageMs`: since it began, by the wall clock. */
  | { readonly type: 'recovered'; readonly at: number; readonly ageMs: number };

/** An input of the emergency list; the session adds the time. */
export type TimelessListInput = ListInput extends infer Each
  ? Each extends ListInput
    ? Omit<Each, 'at'>
    : never
  : never;

/** Effects of the emergency list on the calls of people. */
export type PeopleEffect = Exclude<ListEffect, { readonly type: 'wake' | 'sleep' | 'command' }>;

export type SessionOutcome =
  | 'handled'
  | 'notHandled'
  | 'cleared'
  | 'callCleared'
  | 'deviceHungUp'
  /** No person spoke with the device: it was hung up uncleared. */
  | 'unreached'
  /** No person of the emergency list has accepted: the device is not cleared. */
  | 'unanswered'
  | 'voiceMissing'
  | 'deviceGone'
  | 'notStored'
  | 'interrupted';

/** One event of the session, as stored and delivered. */
export interface SessionEvent {
  readonly ordinal: number;
  readonly kind: EventKind;
  readonly event: AlarmEvent;
  readonly source: SourceAlarmEvent;
}

/** Effects of the machine on speech. */
export type VoiceEffect =
  /** Place our own call to the device. */
  | { readonly type: 'callDevice'; readonly destination: string | undefined }
  /** Join the device's call with the people who wait for it; null = the destination the device itself reached. */
  | { readonly type: 'join'; readonly destination: string | null; readonly direction: VoiceDirection }
  | {
      readonly type: 'deviceCommand';
      /** Absent: a command of the session itself, whose answer is not waited for. */
      readonly id?: string;
      readonly command: DeviceCommand;
      readonly parameters?: CommandParameters;
      /** The session ends with it (hangupalarmcall, clearDown): of a scheme the units that wait behind its own come first. */
      readonly ends?: true;
    }
  | {
      readonly type: 'commandRefused';
      readonly id: string;
      readonly code: 'noVoiceCall' | 'controlCommandsDisabled';
      readonly reason: string;
    }
  /** A command of the application is done without a call. */
  | { readonly type: 'commandDone'; readonly id: string }
  /** BYE to every leg that is still there. */
  | { readonly type: 'hangUp' };

/** Effects of the machine. The composition performs them in their order. */
export type SessionEffect =
  /** Commit event, native text, session and exchange durably; answer with `stored` or `storeFailed`. */
  | ({ readonly type: 'store' } & SessionEvent)
  /** The event is durable: a tone protocol acknowledges now, SCAIP may keep the device waiting from here. */
  | { readonly type: 'durable'; readonly ordinal: number }
  /** The event is not durable: no acknowledge of any kind. */
  | { readonly type: 'abandon'; readonly ordinal: number; readonly reason: string }
  /** newAlarmbridgeEvent, live class. */
  | ({ readonly type: 'liveCallback'; readonly timeoutMs: number } & SessionEvent)
  /** newAlarmbridgeEvent, record class; `late`: its live chance is over. Once for each ordinal. */
  | ({ readonly type: 'recordCallback'; readonly late: boolean } & SessionEvent)
  | { readonly type: 'decide'; readonly decision: Decision }
  /** The people of the setting are called from now on; without any nothing happens. */
  | { readonly type: 'beginList' }
  | { readonly type: 'people'; readonly effect: PeopleEffect }
  | VoiceEffect
  | { readonly type: 'raise'; readonly alarm: RaisedAlarm }
  | { readonly type: 'startTimer'; readonly timer: SessionTimer; readonly ms: number }
  | { readonly type: 'stopTimer'; readonly timer: SessionTimer }
  | { readonly type: 'trace'; readonly text: string }
  /** Last effect of a session. */
  | { readonly type: 'end'; readonly outcome: SessionOutcome };
