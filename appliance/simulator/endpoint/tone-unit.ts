import type { Bs8521Fields } from '#shared/alarm-event/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { encodeLine } from '../../alarm/protocol/bs8521/index.ts';
import { encodeMessage } from '../../alarm/protocol/contact-id/index.ts';
import { encodePacket } from '../../alarm/protocol/lift/index.ts';
import { STMF_TIMES, type StmfTimes, type Tone } from '../../alarm/protocol/tone/index.ts';

/** `tt92-stmf`: a unit of TT92 that is asked, and answers, in sequential tones (`dataRequestType` combined). */
export const TONE_PROTOCOLS = ['bs8521', 'tt92', 'tt92-stmf', 'ttnew', 'contactId', 'p100'] as const;
export type ToneUnitProtocol = (typeof TONE_PROTOCOLS)[number];

/** The tones that a unit listens for besides digits. */
export const unitListens = (
  protocol: ToneUnitProtocol,
): { readonly tones: readonly { readonly hz: number }[]; readonly stmf?: StmfTimes } => ({
  tones: [{ hz: 1_400 }, { hz: 2_300 }],
  ...(protocol === 'tt92-stmf' && { stmf: STMF_TIMES }),
});

/** Something the unit hears: a digit, or a single tone, with its length in ms. `isStmf`: in sequential tones. */
export type DetectedSignal =
  | { readonly digit: string; readonly ms: number; readonly isStmf?: boolean }
  | { readonly hz: number; readonly ms: number };

export type UnitEffect =
  | { readonly type: 'say'; readonly tones: readonly Tone[]; readonly text: string }
  /** The centre has the alarm. */
  | { readonly type: 'acknowledged' }
  /** So long after everything was said, ms. */
  | { readonly type: 'hangUp'; readonly afterMs: number };

interface Script {
  /** Whether the centre asks for the string. */
  readonly isRequest: (recent: readonly DetectedSignal[]) => boolean;
  readonly isAcknowledge: (recent: readonly DetectedSignal[]) => boolean;
  /** Whether the centre ends the call. */
  readonly isClearDown: (recent: readonly DetectedSignal[]) => boolean;
  readonly string: readonly Tone[];
  /** Said to every command; empty = nothing. */
  readonly confirm: readonly Tone[];
  /** From clear-down to hanging up, ms; absent: at once. */
  readonly releaseMs?: number;
}

/** Units of TT92 and TTNEW release their line within 1.5 to 5 s. */
const TT_RELEASE_MS = 2_000;

const digits = (string: string, onMs = 80, offMs = 80): readonly Tone[] => [{ digits: string, onMs, offMs }];
const last = (recent: readonly DetectedSignal[]): DetectedSignal | undefined => recent.at(-1);
const isDigit = (signal: DetectedSignal | undefined, digit: string, fromMs = 0, toMs = 10_000): boolean =>
  signal !== undefined &&
  'digit' in signal &&
  signal.digit === digit &&
  signal.ms >= fromMs &&
  signal.ms < toMs;
const isSequential = (signal: DetectedSignal | undefined, digit: string): boolean =>
  signal !== undefined && 'digit' in signal && signal.digit === digit && signal.isStmf === true;
const ends = (recent: readonly DetectedSignal[], text: string): boolean =>
  recent
    .slice(-text.length)
    .map((signal) => ('digit' in signal ? signal.digit : ' '))
    .join('') === text;
const isTone = (signal: DetectedSignal | undefined, hz: number, fromMs: number): boolean =>
  signal !== undefined && 'hz' in signal && Math.abs(signal.hz - hz) < hz * 0.03 && signal.ms >= fromMs;

/** A unit of the identity in the words of its protocol; digits only. */
function scriptOf(protocol: ToneUnitProtocol, identity: string): Result<Script> {
  const controller = identity.slice(0, 8).padStart(8, '0');
  const never = (): boolean => false;
  switch (protocol) {
    case 'bs8521': {
      const fields: Bs8521Fields = {
        systemConfig: '0',
        speechType: '1',
        conformance: '00',
        controllerId: controller,
        unitId: identity.slice(8, 12).padStart(4, '0'),
        event: '010',
        location: '00',
        priority: '0',
        status: '00',
      };
      return ok({
        isRequest: (recent) => isDigit(last(recent), 'B', 450),
        isAcknowledge: (recent) => isDigit(last(recent), 'B', 0, 450),
        isClearDown: (recent) => isDigit(recent.at(-2), 'A', 180) && isDigit(last(recent), 'D'),
        string: [{ silenceMs: 80 }, ...digits(encodeLine(fields))],
        confirm: digits('B'),
      });
    }
    case 'tt92':
    case 'tt92-stmf':
    case 'ttnew': {
      const [request, acknowledge] = protocol === 'ttnew' ? ['DB', 'DB'] : ['0#', 'B0'];
      const string = `D#1007${identity.slice(0, 12).padEnd(12, '*')}000000`;
      const isStmf = protocol === 'tt92-stmf';
      return ok({
        isRequest: (recent) => ends(recent, request) && (!isStmf || isSequential(recent.at(-3), '0')),
        isAcknowledge: (recent) => ends(recent, acknowledge),
        isClearDown: (recent) => isDigit(last(recent), '#', 1_000),
        string: isStmf ? [{ silenceMs: 80 }, { stmf: true, digits: string }] : digits(string),
        confirm: [],
        releaseMs: TT_RELEASE_MS,
      });
    }
    case 'contactId': {
      const message = encodeMessage({
        account: identity.slice(0, 4).padStart(4, '0'),
        messageType: '18',
        qualifier: '1',
        event: '130',
        group: '01',
        zone: '001',
      });
      if (!message.ok)
        return fail('notExpressible', `${identity} is no account: digits without A, at most four`);
      return ok({
        isRequest: (recent) => isTone(recent.at(-2), 1_400, 70) && isTone(last(recent), 2_300, 70),
        isAcknowledge: (recent) => isTone(last(recent), 1_400, 500),
        isClearDown: never,
        string: [{ silenceMs: 270 }, ...digits(message.value, 60, 60)],
        confirm: [],
      });
    }
    case 'p100': {
      const packet = encodePacket('1', controller);
      if (!packet.ok) return packet;
      return ok({
        isRequest: (recent) => isDigit(last(recent), 'D'),
        isAcknowledge: (recent) => isDigit(last(recent), 'A'),
        isClearDown: never,
        string: digits(packet.value, 100, 100),
        confirm: [],
      });
    }
  }
}

const REMEMBERED = 4;

/**
 * A unit that speaks in tones:
 *
 *   waiting ──request──▶ said ──acknowledge──▶ taken ──clear-down──▶ hangs up, of TT 2 s later
 *                 ▲        │ another request: says it again
 *                 └────────┘
 */
export class ToneUnit {
  readonly #script: Script;
  #recent: DetectedSignal[] = [];
  #state: 'waiting' | 'said' | 'taken' = 'waiting';

  private constructor(script: Script) {
    this.#script = script;
  }

  /** `notExpressible`: the identity cannot be said in this protocol. */
  static of(protocol: ToneUnitProtocol, identity: string): Result<ToneUnit> {
    const script = /^\d{1,12}$/.test(identity)
      ? scriptOf(protocol, identity)
      : fail('notExpressible', `${identity} is no identity: 1 to 12 digits`);
    return script.ok ? ok(new ToneUnit(script.value)) : script;
  }

  onSignal(signal: DetectedSignal): readonly UnitEffect[] {
    this.#recent = [...this.#recent.slice(1 - REMEMBERED), signal];
    const { isRequest, isAcknowledge, isClearDown, string, confirm, releaseMs = 0 } = this.#script;
    if (this.#state === 'taken') {
      if (isClearDown(this.#recent)) {
        this.#recent = [];
        const said = confirm.length > 0 ? [say(confirm, 'confirms clear-down')] : [];
        return [...said, { type: 'hangUp', afterMs: releaseMs }];
      }
      return [];
    }
    if (this.#state === 'said' && isAcknowledge(this.#recent)) {
      this.#state = 'taken';
      this.#recent = [];
      return [{ type: 'acknowledged' }];
    }
    if (!isRequest(this.#recent)) return [];
    this.#state = 'said';
    this.#recent = [];
    return [say(string, 'says its string')];
  }
}

const say = (tones: readonly Tone[], text: string): UnitEffect => ({ type: 'say', tones, text });
