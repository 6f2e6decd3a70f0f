import type { HeaderFields } from '../message/index.ts';
import type { Refresher, RequestFacts, ResponseFacts } from './dialog-info.ts';

/** Our settings (RFC 4028). Seconds. */
export interface TimerSettings {
  /** Interval we ask for. */
  readonly expiresS: number;
  /** Shortest interval we put up with; never under 90 (RFC 4028 4). */
  readonly minSeS: number;
}

const LEAST_MIN_SE_S = 90;
/** Chosen: a peer that asks for longer than a day, or asks more often, would have us ask for ever. */
const LONGEST_MIN_SE_S = 86_400;
export const MOST_TRIES = 6;

/** Is a 422 to be believed (RFC 4028 7.3)? It must ask for more than we asked for, and for something sensible. */
export const isLonger = (minSe: number, asked: number): boolean => minSe > asked && minSe <= LONGEST_MIN_SE_S;

/** The agreement of both sides: how long without refresh, and whether it is on us to refresh. */
export interface AgreedTimer {
  readonly seconds: number;
  readonly weRefresh: boolean;
}

/** Fields of our INVITE, re-INVITE or UPDATE. In a running session its interval and refresher are kept (7.4). */
export function timerRequest(
  settings: TimerSettings,
  running: AgreedTimer | undefined,
  minSe = 0,
): HeaderFields {
  const seconds = Math.max(running?.seconds ?? settings.expiresS, minSe, settings.minSeS);
  const refresher = running === undefined ? '' : `;refresher=${running.weRefresh ? 'uac' : 'uas'}`;
  return [
    ['Session-Expires', `${seconds}${refresher}`],
    ['Min-SE', String(Math.max(minSe, settings.minSeS, LEAST_MIN_SE_S))],
  ];
}

/** Must the request be refused with 422 (9)? Only who understands 422 gets one: the interval says so. */
export const isTooBrief = ({ sessionExpires, supported }: RequestFacts, settings: TimerSettings): boolean =>
  sessionExpires !== undefined && supported.includes('timer') && sessionExpires.seconds < settings.minSeS;

export interface TimerAnswer {
  /** undefined: no session timer. */
  readonly agreed?: AgreedTimer;
  /** Fields of our 2xx. */
  readonly headers: HeaderFields;
}

/**
 * Our answer as UAS (9, table 2):
 *
 *   peer supports timer   asks for refresher   we say
 *   no                    -                    uas, when the request or we want a timer: then we refresh alone
 *   yes                   none                 uac: whoever called refreshes
 *   yes                   uac, uas             as asked
 *
 * Chosen: a request without Session-Expires gets a timer of ours too: a caller that has vanished must not hold a line.
 */
export function timerAnswer(
  { sessionExpires, supported, minSe }: RequestFacts,
  settings: TimerSettings,
): TimerAnswer {
  const understood = supported.includes('timer');
  // 9: what the request asks for is never raised; what is too brief was refused before.
  const wanted = sessionExpires?.seconds ?? Math.max(settings.expiresS, minSe ?? 0);
  const seconds = Math.max(wanted, LEAST_MIN_SE_S);
  const refresher: Refresher = understood ? (sessionExpires?.refresher ?? 'uac') : 'uas';
  const headers: [string, string][] = [['Session-Expires', `${seconds};refresher=${refresher}`]];
  if (understood && refresher === 'uac') headers.push(['Require', 'timer']);
  return { agreed: { seconds, weRefresh: refresher === 'uas' }, headers };
}

/**
 * The timer that a 2xx to our request settles (7.2). Without Session-Expires the peer knows no timer: we still refresh by
 * ourselves, so that a vanished peer is noticed.
 */
export function timerOf(response: ResponseFacts, settings: TimerSettings): AgreedTimer {
  const { sessionExpires } = response;
  if (sessionExpires === undefined) return { seconds: settings.expiresS, weRefresh: true };
  const seconds = Math.max(sessionExpires.seconds, LEAST_MIN_SE_S);
  return { seconds, weRefresh: sessionExpires.refresher !== 'uas' };
}

/** Refresh is due after half the interval (7.4). */
export const refreshMs = ({ seconds }: AgreedTimer): number => seconds * 500;

/** Without a refresh the session ends: the refresher waits to the end, the other side a little less (10). */
export const expiryMs = ({ seconds, weRefresh }: AgreedTimer): number =>
  (weRefresh ? seconds : seconds - Math.min(32, seconds / 3)) * 1_000;
