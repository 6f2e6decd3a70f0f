import type {
  AskedIvrCommand,
  CallDecision,
  DtmfParams,
  GetIvrCommand,
  MediaAlarmType,
  MediaPhrase,
  ProgramStream,
  SpeechParams,
} from '#shared/contract/callback/index.ts';
import type { Failure, Result } from '#shared/result.ts';
import type { HeldDirection } from '../../session/index.ts';

/** A SIP endpoint or an IVR. Unique among all sessions of the host; given by the runtime. */
export type ParticipantId = string;
/** A link between participants. */
export type ConnectionId = string;
/** One live request to the application; later ones have higher numbers. */
export type RequestNumber = number;

/** Why an answer of the application is none: the error of its alarm, and why in words. */
export interface BadAnswer {
  readonly error: string;
  readonly reason: string;
  /** `unreached`: no answer at all, or an error; `unfit`: one that says nothing usable. */
  readonly kind: 'unreached' | 'unfit';
  readonly status?: number;
}

export type Answer<T> = { readonly kind: 'good'; readonly value: T } | BadAnswer;

export type Refusal = Failure<'participantUnknown' | 'connectionUnknown' | 'conflict' | 'invalid'>;
/** The values that an operation gives back besides success. */
export interface OperationGain {
  readonly connectionId?: ConnectionId;
  readonly streamId?: string;
}

/** How a party is called, in the words of the application. */
export type DialWords = Pick<
  CallDecision,
  | 'callerPrivacy'
  | 'codec'
  | 'contactParameters'
  | 'contactUserParameters'
  | 'crypto'
  | 'destAddr'
  | 'displayName'
  | 'maxRingTime'
  | 'pHeaders'
  | 'receiveIp'
  | 'receivePort'
  | 'ringbackTone'
  | 'sessionReferenceId'
  | 'sipDiversion'
  | 'sipDiversionParameters'
  | 'sipFrom'
  | 'sipPAI'
  | 'sipRPID'
  | 'sipTo'
  | 'telephoneEventPayloadType'
  | 'xHeaders'
>;

export type Operation =
  | { readonly kind: 'hangUp'; readonly participant: ParticipantId }
  | { readonly kind: 'hangUpRemote'; readonly participant: ParticipantId }
  /** `request`: of the getIvrCommand whose command is meant; absent: whatever runs. */
  | { readonly kind: 'interrupt'; readonly refers: string; readonly request?: RequestNumber }
  | { readonly kind: 'split'; readonly connection: ConnectionId }
  | {
      readonly kind: 'createConference';
      readonly beep: boolean;
      readonly maxParticipants?: number;
      readonly recordingFileName?: string;
    }
  | {
      readonly kind: 'leaveConference';
      readonly participant: ParticipantId;
      readonly connection: ConnectionId;
    }
  | {
      readonly kind: 'conferenceParticipant';
      readonly participant: ParticipantId;
      readonly connection: ConnectionId;
      readonly mute?: boolean;
      readonly hold?: boolean;
      readonly whisperTo?: ParticipantId | null;
    }
  | {
      readonly kind: 'startRecording';
      readonly connection: ConnectionId;
      readonly fileName: string;
      readonly channels?: 'mixed' | 'perParticipant';
      readonly overwrite?: boolean;
    }
  | { readonly kind: 'startStream'; readonly connection: ConnectionId; readonly target: ProgramStream }
  | { readonly kind: 'stopStream'; readonly connection: ConnectionId; readonly stream: string }
  | {
      readonly kind: 'announce';
      readonly connection: ConnectionId;
      /** Absent: all participants of the connection. */
      readonly participant?: ParticipantId;
      readonly phrases: readonly MediaPhrase[];
      readonly over: 'mix' | 'replace';
    }
  | { readonly kind: 'startStream'; readonly connection: ConnectionId; readonly target: ProgramStream }
  | { readonly kind: 'stopStream'; readonly connection: ConnectionId; readonly stream: string }
  | {
      readonly kind: 'stopRecording' | 'pauseRecording' | 'resumeRecording';
      readonly connection: ConnectionId;
    };

/** Why a party is on the line no longer. */
export type LeaveCause = 'hungUp' | 'rtpTimeout' | 'expired' | 'mediaLost' | 'invalidSdp';

/** SIP status, where it was one, and the text. */
export interface LeaveDetails {
  readonly status?: number;
  readonly text: string;
}

/** Target of a participant that moves: a participant of another session, or its conference. */
export type MoveTarget =
  | { readonly kind: 'connect'; readonly participant: ParticipantId; readonly replyId?: string }
  | { readonly kind: 'conference'; readonly connection: ConnectionId };

/** Why a participant cannot be joined with what its decision names: the error of the alarm, and the final response. */
export interface JoinRefusal {
  readonly error: 'conferenceFull' | 'connectionUnknown' | 'participantUnknown' | 'participantBusy';
  readonly status: number;
  readonly reason: string;
}

/** Everything that can happen to a session; `atMs`: monotonic. */
export type SessionInput = {
  readonly atMs: number;
} /** The caller waits, or for a session of our own: call its party. */ & (
  | { readonly kind: 'begin' }
  | {
      readonly kind: 'decided';
      readonly request: RequestNumber;
      readonly answer: Answer<CallDecision>;
    }
  | {
      readonly kind: 'commanded';
      readonly request: RequestNumber;
      readonly answer: Answer<readonly AskedIvrCommand[]>;
    }
  /** 1xx of a callee of ours; `early`: it sends audio already. */
  | {
      readonly kind: 'rang';
      readonly participant: ParticipantId;
      readonly status: number;
      readonly early: boolean;
    }
  /** It is on the line: our answer was acknowledged, or it has answered. */
  | { readonly kind: 'answered'; readonly participant: ParticipantId }
  | {
      readonly kind: 'failed';
      readonly participant: ParticipantId;
      readonly status: number;
      readonly reason: string;
      /** There is no such address at all. */
      readonly invalidAddress?: string;
      /** It answered with a description of its audio that nothing can be agreed with. */
      readonly invalidSdp?: boolean;
    }
  | {
      readonly kind: 'gone';
      readonly participant: ParticipantId;
      readonly why: LeaveCause;
      /** In the words of its peer, or of what broke its leg; absent: normal clearing. */
      readonly said?: LeaveDetails;
    }
  | {
      readonly kind: 'held';
      readonly participant: ParticipantId;
      readonly direction: HeldDirection;
      readonly by: 'reInvite' | 'update';
    }
  | { readonly kind: 'digit'; readonly participant: ParticipantId; readonly digit: string }
  | {
      readonly kind: 'played';
      readonly play: string;
      readonly results: readonly ('completed' | 'interrupted' | 'error')[];
      readonly faults: readonly {
        readonly phrase: number;
        readonly alarm: 'phraseError' | 'phraseRemoteCacheTimeout';
        readonly reason: string;
      }[];
    }
  /** The participant said nothing for as long as was asked. */
  | { readonly kind: 'silent'; readonly participant: ParticipantId }
  /** A recording came to its end by itself. */
  | {
      readonly kind: 'recordingEnded';
      readonly recording: string;
      readonly failed: boolean;
      /** One sentence for a person; of a failure. */
      readonly reason?: string;
    }
  /** A stream is over; `reason`: it failed, in a sentence for a person. */
  | { readonly kind: 'streamEnded'; readonly stream: string; readonly reason?: string }
  /** An agent is to be called for a caller in a queue. */
  | { readonly kind: 'agentFree'; readonly participant: ParticipantId; readonly agent: string }
  | { readonly kind: 'agentWithdrawn'; readonly participant: ParticipantId; readonly agent: string }
  /** The caller waits no longer. */
  | { readonly kind: 'queueOver'; readonly participant: ParticipantId; readonly reason: QueueEnd }
  /** The answer to `placeInQueue`. */
  | {
      readonly kind: 'queuePlace';
      readonly participant: ParticipantId;
      readonly position: number;
      readonly waitMs: number;
    }
  /** A participant has begun to speak while its IVR listens. */
  | { readonly kind: 'speechBegan'; readonly hearing: string }
  | { readonly kind: 'speechEnded'; readonly hearing: string; readonly speech: SpeechParams }
  /** Media of a connection could not be served. */
  | { readonly kind: 'mediaFailed'; readonly connection: ConnectionId; readonly reason: string }
  | { readonly kind: 'timer'; readonly timer: string }
  /** The participant goes to another session, which has it from now on. */
  | { readonly kind: 'give'; readonly participant: ParticipantId }
  | { readonly kind: 'adopt'; readonly participant: Adopted; readonly target: MoveTarget }
  /** It cannot be joined with what its decision names. */
  | { readonly kind: 'unmoved'; readonly participant: ParticipantId; readonly refusal: JoinRefusal }
  /** The answer to `check`: the caller can be joined, or why not. */
  | {
      readonly kind: 'checked';
      readonly participant: ParticipantId;
      readonly refusal?: JoinRefusal | undefined;
    }
  | { readonly kind: 'operation'; readonly id: string; readonly ask: Operation }
);

export type QueueEnd = 'full' | 'maxWait' | 'noAgents';

/** A conversation that a queue has brought about; `waited`: s. */
export interface QueueAnswer {
  readonly queue: string;
  readonly agent: string;
  readonly waited: number;
}

export interface Adopted {
  readonly id: ParticipantId;
  readonly answered: boolean;
  readonly direction: 'in' | 'out';
}

/** Facts of a callback that the machine knows; the runtime adds names, numbers and where it comes from. */
export type Ask =
  | { readonly callback: 'newCall'; readonly participant: ParticipantId }
  | ({ readonly callback: 'callEvent' } & CallEventInfo)
  | {
      readonly callback: 'getIvrCommand';
      readonly participant: ParticipantId;
      readonly connection: ConnectionId;
      readonly lastCommandResult?: GetIvrCommand['lastCommandResult'];
      readonly dtmfParams?: DtmfParams;
      readonly speechParams?: SpeechParams;
    };

export interface CallEventInfo {
  readonly event: 'callingPartyDrop' | 'calledPartyDrop' | 'callerConnectionSplit' | 'calleeConnectionSplit';
  readonly participant: ParticipantId;
  readonly remaining?: ParticipantId;
  readonly connection?: ConnectionId;
  readonly sipStatus?: number;
  readonly sipReason?: string;
  readonly dtmfParams?: DtmfParams;
}

export type Report =
  | {
      readonly callback: 'callNotify';
      readonly event: 'ringing' | 'reInvite' | 'update';
      readonly participant: ParticipantId;
      readonly remote?: ParticipantId;
      readonly monitoring: boolean;
    }
  | {
      readonly callback: 'callAnswered';
      readonly queue?: QueueAnswer;
      readonly connection: ConnectionId;
      readonly caller?: ParticipantId;
      readonly callee?: ParticipantId;
      readonly monitoring: boolean;
    }
  /** No party remains that an answer could concern. */
  | ({ readonly callback: 'callEvent' } & CallEventInfo)
  | { readonly callback: 'sessionCompleted'; readonly reason: string };

export type SessionEffect =
  /** Live: the answer comes back as `decided` or `commanded`. */
  | { readonly kind: 'ask'; readonly request: RequestNumber; readonly ask: Ask }
  | { readonly kind: 'report'; readonly report: Report }
  /** Calls a participant: `rang`, `answered` or `failed` follow. `near`: the one it will be joined with. */
  | {
      readonly kind: 'dial';
      readonly participant: ParticipantId;
      readonly destAddr: string;
      readonly words: DialWords;
      readonly near?: ParticipantId;
      /** The application itself, by RTP alone (`httpcall`), without a SIP call. */
      readonly http?: true;
    }
  /** Provisional response to a caller without an answer; `early`: it hears what we connect or play to it. */
  | {
      readonly kind: 'ring';
      readonly participant: ParticipantId;
      readonly status: number;
      readonly early: boolean;
    }
  /** 200 to a caller; `answered` follows. */
  | { readonly kind: 'accept'; readonly participant: ParticipantId }
  /** Refuses, cancels or hangs up, whatever its state asks for; nothing comes back. */
  | {
      readonly kind: 'drop';
      readonly participant: ParticipantId;
      readonly status?: number;
      /** For a person, beside the final response or the BYE. */
      readonly text?: string;
    }
  | { readonly kind: 'direct'; readonly participant: ParticipantId; readonly direction: HeldDirection }
  /** `played` follows, once. `together`: starts with the other plays of this name. */
  | {
      readonly kind: 'play';
      readonly play: string;
      readonly participant: ParticipantId;
      readonly phrases: readonly MediaPhrase[];
      readonly together?: string;
      /** Absent: nothing else is heard meanwhile. */
      readonly over?: 'mix' | 'replace';
      /** Another participant hears the same: recordings take it from there. */
      readonly shared?: true;
    }
  | { readonly kind: 'stop'; readonly play: string }
  /** Starting a running timer starts it again. */
  | { readonly kind: 'startTimer'; readonly timer: string; readonly ms: number }
  | { readonly kind: 'stopTimer'; readonly timer: string }
  | {
      readonly kind: 'alarm';
      readonly type: MediaAlarmType;
      /** Which one, by the names of the media document. */
      readonly error: string;
      /** A sentence that says why. */
      readonly reason: string;
      readonly participant?: ParticipantId;
      readonly status?: number;
    }
  /** Where is the caller in its queue? `queuePlace` follows. */
  | { readonly kind: 'placeInQueue'; readonly participant: ParticipantId }
  /** Can a caller be joined with this place, before it is answered? `checked` follows. */
  | { readonly kind: 'check'; readonly participant: ParticipantId; readonly target: MoveTarget }
  /** Moves to a target outside this session: `adopt` there and `give` here follow, or `unmoved`. */
  | { readonly kind: 'move'; readonly participant: ParticipantId; readonly target: MoveTarget }
  | { readonly kind: 'reply'; readonly id: string; readonly result: Result<OperationGain, Refusal> };

export type { AskedIvrCommand, CallDecision, DtmfParams, MediaPhrase };
