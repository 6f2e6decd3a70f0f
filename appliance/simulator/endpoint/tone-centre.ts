import type { Bs8521Fields, DeviceCommand } from '#shared/alarm-event/index.ts';
import {
  BS8521_PROFILE,
  bs8521Protocol,
  type CommandLink,
  commandFor,
  encodeLine,
  initialLink,
  type LinkInput,
  stepLink,
} from '../../alarm/protocol/bs8521/index.ts';
import {
  changedProfile,
  initialToneCall,
  type ReceivedTone,
  STMF_TIMES,
  type StmfTimes,
  stepToneCall,
  type Tone,
  type ToneCall,
  type ToneInput,
  type ToneProtocol,
} from '../../alarm/protocol/tone/index.ts';
import {
  encodeCommand,
  TT92_COMBINED,
  TT92_PROFILE,
  TTNEW_PROFILE,
  ttProtocol,
} from '../../alarm/protocol/tt/index.ts';

/** `tt92-stmf`: a centre of TT92 that asks in sequential tones, too, and reads both (`dataRequestType` combined). */
export const CENTRE_TONES = ['bs8521', 'tt92', 'tt92-stmf', 'ttnew'] as const;
export type CentreToneProtocol = (typeof CENTRE_TONES)[number];

/** The tones that a centre listens for besides digits. */
export const centreListens = (protocol: CentreToneProtocol): { readonly stmf?: StmfTimes } =>
  protocol === 'tt92-stmf' ? { stmf: STMF_TIMES } : {};

const ttName = (protocol: CentreToneProtocol): 'tt92' | 'ttnew' => (protocol === 'ttnew' ? 'ttnew' : 'tt92');

function spokenBy(protocol: CentreToneProtocol): ToneProtocol {
  if (protocol === 'bs8521') return bs8521Protocol();
  if (protocol !== 'tt92-stmf') return ttProtocol(protocol);
  return ttProtocol('tt92', changedProfile(TT92_PROFILE, { trigger: { send: TT92_COMBINED } }));
}

/** The effects of a simulated centre in its call. */
export type CentreEffect =
  | { readonly type: 'play'; readonly tones: readonly Tone[] }
  | { readonly type: 'stopPlaying' }
  /** An alarm was taken: its string. */
  | { readonly type: 'alarm'; readonly text: string }
  | { readonly type: 'hangUp' }
  | { readonly type: 'startTimer'; readonly timer: string; readonly ms: number }
  | { readonly type: 'stopTimer'; readonly timer: string };

export interface CentreBehaviour {
  readonly protocol: CentreToneProtocol;
  /** False: it asks for the alarm and never acknowledges it. */
  readonly acknowledges: boolean;
  /** Said to the device, one after the other, once its alarm is taken. */
  readonly commands: readonly DeviceCommand[];
  /** Then it stays so long, ms, and clears the device. */
  readonly talkMs: number;
}

/** The centre's side of one call in tones: asks, acknowledges, commands, clears; of a scheme unit by unit. */
export class ToneCentre {
  readonly #behaviour: CentreBehaviour;
  #tone: ToneCall;
  #link: CommandLink | undefined;
  readonly #left: DeviceCommand[];

  constructor(behaviour: CentreBehaviour) {
    this.#behaviour = behaviour;
    this.#left = [...behaviour.commands];
    this.#tone = initialToneCall([{ protocol: spokenBy(behaviour.protocol) }], { listenMs: 0 });
  }

  answered(): readonly CentreEffect[] {
    return this.#ask({ type: 'answered', at: 0 });
  }

  onTone(tone: ReceivedTone, at: number): readonly CentreEffect[] {
    return this.#link === undefined
      ? this.#ask({ type: 'heard', at, tone })
      : this.#talk({ type: 'heard', at, tone });
  }

  timer(name: string, at: number): readonly CentreEffect[] {
    if (name === 'talk') return this.#next(at);
    if (name === 'release') return [{ type: 'hangUp' }];
    const [of, timer] = name.split(' ');
    return of === 'ask'
      ? this.#ask({ type: 'timer', at, timer: timer as 'trigger' })
      : this.#talk({ type: 'timer', at, timer: timer as 'ack' });
  }

  #ask(input: ToneInput): readonly CentreEffect[] {
    const { state, effects } = stepToneCall(this.#tone, input);
    this.#tone = state;
    return effects.flatMap((effect): readonly CentreEffect[] => {
      switch (effect.type) {
        case 'play':
        case 'stopPlaying':
          return [effect];
        case 'startTimer':
        case 'stopTimer':
          return [{ ...effect, timer: `ask ${effect.timer}` }];
        case 'event':
          return this.#behaviour.acknowledges
            ? [
                { type: 'alarm', text: effect.source.raw },
                ...this.#stored(effect.source.fields, input.at, effect.ordinal),
              ]
            : [{ type: 'alarm', text: `${effect.source.raw} (not acknowledged)` }];
        case 'ready':
          return this.#ready(input.at);
        case 'failed':
          return [{ type: 'hangUp' }];
        default:
          return [];
      }
    });
  }

  #fields: Readonly<Record<string, unknown>> = {};

  #stored(fields: Readonly<Record<string, unknown>>, at: number, ordinal: number): readonly CentreEffect[] {
    this.#fields = fields;
    return this.#ask({ type: 'stored', at, ordinal });
  }

  #ready(at: number): readonly CentreEffect[] {
    if (this.#behaviour.protocol !== 'bs8521') return [this.#pause()];
    this.#link = initialLink(this.#fields as unknown as Bs8521Fields, BS8521_PROFILE);
    return this.#talk({ type: 'opened', at });
  }

  /** The next command, or the end of the talk. */
  #next(at: number): readonly CentreEffect[] {
    const command = this.#left.shift();
    if (this.#behaviour.protocol === 'bs8521') {
      if (command === undefined) return this.#talk({ type: 'finish', at });
      const made = commandFor(command);
      return made.ok ? this.#talk({ type: 'command', at, id: command, command: made.value }) : this.#next(at);
    }
    const name = ttName(this.#behaviour.protocol);
    const profile = name === 'tt92' ? TT92_PROFILE : TTNEW_PROFILE;
    const made = encodeCommand(command ?? 'clearDown', { name, grouped: false }, profile);
    const tones: readonly CentreEffect[] = made.ok ? [{ type: 'play', tones: made.value }] : [];
    if (command !== undefined) return [...tones, this.#pause()];
    return [
      ...tones,
      { type: 'startTimer', timer: 'release', ms: profile.commands.clearDownMs + RELEASE_MS },
    ];
  }

  #talk(input: LinkInput): readonly CentreEffect[] {
    if (this.#link === undefined) return [];
    const { state, effects } = stepLink(this.#link, input);
    this.#link = state;
    return effects.flatMap((effect): readonly CentreEffect[] => {
      switch (effect.type) {
        case 'play':
          return [effect];
        case 'hangUp':
          return [{ type: 'hangUp' }];
        case 'startTimer':
        case 'stopTimer':
          return [{ ...effect, timer: `link ${effect.timer}` }];
        case 'speech':
        case 'commandDone':
        case 'commandFailed':
          return [this.#pause()];
        case 'nextAlarm':
          return [
            { type: 'alarm', text: encodeLine(effect.fields) },
            ...this.#talk({ type: 'stored', at: input.at }),
          ];
        default:
          return [];
      }
    });
  }

  #pause(): CentreEffect {
    return {
      type: 'startTimer',
      timer: 'talk',
      ms: this.#left.length > 0 ? BETWEEN_MS : this.#behaviour.talkMs,
    };
  }
}

/** In which a unit hangs up after clear-down. */
const RELEASE_MS = 5_000;

/** Between two commands. */
const BETWEEN_MS = 1_000;
