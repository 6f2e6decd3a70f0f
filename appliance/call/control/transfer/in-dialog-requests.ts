import type { Media } from '../../../media/control/index.ts';
import { DTMF, DTMF_RELAY, readDtmf, SUPPORTED, writeDtmfRelay } from '../../../sip/dialog/index.ts';
import type { HeaderFields, SipRequest } from '../../../sip/message/index.ts';
import { SDP } from '../../../sip/sdp/index.ts';
import { type LegName, otherOf, PEER_LOST, TRANSFERRED } from '../../session/index.ts';
import type { ActiveCall } from '../active-call/active-call.ts';
import { PRESENCE } from '../active-call/presence-request.ts';
import type { LegTable } from '../leg/leg-table.ts';
import type { SipLeg } from '../leg/sip-leg.ts';
import { isPackage, takePackage, trickleFields } from '../leg-media/trickle.ts';
import type { TargetGroups } from '../target/target-resolver.ts';
import { PassedRefers } from './refer-pass.ts';
import { type ReferSubscriptions, type ReferTarget, referTarget } from './refer-subscriptions.ts';
import type { Replaced } from './replaces.ts';

export interface InDialogDependencies {
  readonly media: Media;
  readonly run: (work: Promise<unknown>) => void;
  readonly refers: ReferSubscriptions;
  readonly legs: LegTable;
  readonly allow: readonly string[];
  readonly callOf: (leg: LegName) => ActiveCall | undefined;
  /** Whom the peer of this leg may send the call to. */
  readonly targets: (call: ActiveCall, leg: SipLeg, uri: string) => TargetGroups;
  /** May the peer of `other` be asked by that of `leg` to call this address itself? */
  readonly passes: (leg: SipLeg, other: SipLeg, uri: string) => boolean;
  readonly nowMs: () => number;
  /** A leg belongs to this call from now on. */
  readonly moved: (leg: LegName, call: ActiveCall) => void;
}

/**
 * Interop: only of a peer that knows the question: its Allow names it, or it has answered before. A simple device that says
 * nothing to it may have a person beside it who cannot speak; that call is not ours to end.
 */
const UNANSWERED = 408;
/** There is no such dialog at its side any more. */
const UNKNOWN = 481;
/** Its connection is closed, and perhaps that alone: it says nothing of the peer, who is asked again. */
const UNSENT = 503;

/** Length of a digit whose sender gave none, and the pause behind it, ms. */
const DIGIT_MS = 100;
const PAUSE_MS = 60;

/** Requests inside a dialog that are no business of the dialog itself: digits, transfers, questions. */
export class InDialogRequests {
  readonly #dependencies: InDialogDependencies;
  /** Legs that say their digits by INFO: they get digits the same way. */
  readonly #byInfo = new Set<LegName>();
  /** Legs that have said that they are there. */
  readonly #present = new Set<LegName>();
  readonly #passed: PassedRefers;
  #plays = 0;

  constructor(dependencies: InDialogDependencies) {
    this.#dependencies = dependencies;
    const { refers, nowMs, callOf } = dependencies;
    this.#passed = new PassedRefers({
      ...{ refers, nowMs },
      transferred: (leg) => callOf(leg)?.input({ kind: 'hangUp', reason: TRANSFERRED }),
    });
  }

  forget(leg: SipLeg): void {
    this.#passed.forget(leg.name);
    this.#byInfo.delete(leg.name);
    this.#present.delete(leg.name);
    this.#dependencies.refers.forget(leg);
  }

  take(leg: SipLeg, request: SipRequest, server: number): void {
    switch (request.method) {
      case 'INFO':
        this.#info(leg, request, server);
        return;
      case 'REFER':
        this.#refer(leg, request, server);
        return;
      case 'OPTIONS':
        leg.respond(server, 200, this.#abilities(leg));
        return;
      case 'NOTIFY':
        // RFC 6665 4.1.3: we asked for no such subscription.
        if (!this.#passed.notified(leg, request, server)) leg.respond(server, 481);
        return;
      default:
        leg.respond(server, 405, [['Allow', this.#dependencies.allow.join(', ')]]);
    }
  }

  /** Outcome of a request of ours within a dialog; 408: no answer. */
  replied(leg: SipLeg, id: string, status: number): void {
    const call = this.#dependencies.callOf(leg.name);
    call?.trace.add('note', { text: `${id}: ${status}` });
    if (id === PRESENCE && call !== undefined) this.#asked(call, leg, status);
    this.#passed.replied(leg, id, status);
  }

  #asked(call: ActiveCall, leg: SipLeg, status: number): void {
    if (status === UNSENT) return;
    const isAble = leg.allows.includes('OPTIONS') || this.#present.has(leg.name);
    if (status === UNANSWERED) call.input({ kind: 'unanswered', leg: leg.name, isAble });
    else if (status !== UNKNOWN) this.#present.add(leg.name);
    else if (isAble) call.input({ kind: 'broken', leg: leg.name, status, text: PEER_LOST.text });
  }

  /** A digit for a peer, by INFO where that is how it speaks, else as event or tone. */
  sendDigit(leg: SipLeg, digit: string, durationMs: number): void {
    const onMs = durationMs === 0 ? DIGIT_MS : durationMs;
    if (this.#byInfo.has(leg.name) && leg.allows.includes('INFO')) {
      const headers: HeaderFields = [['Content-Type', DTMF_RELAY]];
      leg.send('digit', 'INFO', headers, writeDtmfRelay({ digit, durationMs: onMs }));
      return;
    }
    const sending = { digits: digit, mode: 'auto', onMs, offMs: PAUSE_MS } as const;
    this.#dependencies.run(
      this.#dependencies.media.sendDigits(leg.name, `${leg.name} info ${++this.#plays}`, sending),
    );
  }

  #info(leg: SipLeg, request: SipRequest, server: number): void {
    const type = request.contentType;
    // Interop: an empty INFO asks whether we are still there.
    if (type === undefined && request.contentLength === 0) {
      leg.respond(server, 200);
      return;
    }
    // Interop: digits are taken whatever package they are said to be of.
    const isDigit = type === DTMF || type === DTMF_RELAY;
    if (!isDigit && isPackage(request)) {
      this.#package(leg, request, server);
      return;
    }
    if (!isDigit) {
      leg.respond(server, 415, [['Accept', `${DTMF_RELAY}, ${DTMF}`]]);
      return;
    }
    const read = readDtmf(type, request.body);
    if (!read.ok) {
      leg.respond(server, 400, [['Warning', `399 carillon "${read.error.reason}"`]]);
      return;
    }
    leg.respond(server, 200);
    const call = this.#dependencies.callOf(leg.name);
    // One that crosses our BYE: what is noted of its leg has been forgotten already.
    if (call === undefined) return;
    this.#byInfo.add(leg.name);
    const { digit, durationMs } = read.value;
    call.input({ kind: 'digit', leg: leg.name, digit, durationMs });
  }

  #package(leg: SipLeg, request: SipRequest, server: number): void {
    const { answer, note } = takePackage(leg.media, request);
    leg.respond(server, answer.status, answer.headers);
    if (note !== undefined)
      this.#dependencies.callOf(leg.name)?.trace.add('note', { text: `${leg.name}: ${note}` });
  }

  #refer(leg: SipLeg, request: SipRequest, server: number): void {
    const { refers, callOf } = this.#dependencies;
    const target = referTarget(request);
    const call = callOf(leg.name);
    if (target === undefined || call === undefined) {
      leg.respond(server, target === undefined ? 400 : 481);
      return;
    }
    const other = call.leg(otherOf(call.session, leg.name) ?? '');
    if ((other !== undefined && this.#passed.busy(other.name)) || refers.busy(leg.name)) {
      leg.respond(server, 491);
      return;
    }
    refers.asked(leg.name, server);
    call.trace.add('note', { text: `${leg.name} asks that the other party be transferred to ${target.uri}` });
    if (other !== undefined && this.#goesOn(call, leg, other, target)) {
      call.trace.add('note', { text: `${other.name} is asked to call there itself` });
      this.#passed.begin(leg, other, target.uri, () => this.#transfer(call, leg, target));
    } else this.#transfer(call, leg, target);
  }

  /** Whether the REFER is passed on: two parties talk, no program of ours is among them, and the peer allows REFER. */
  #goesOn(call: ActiveCall, leg: SipLeg, other: SipLeg, { uri, replaces }: ReferTarget): boolean {
    const { phase, transfer, setting } = call.session;
    const free = phase === 'Talking' && transfer === undefined && !setting.keepsCaller;
    const able = replaces === undefined && other.allows.includes('REFER');
    return free && able && this.#dependencies.passes(leg, other, uri);
  }

  /** Done by ourselves: the other party stays with us and is connected with whoever was named. */
  #transfer(call: ActiveCall, leg: SipLeg, { replaces, uri }: ReferTarget): void {
    const { targets } = this.#dependencies;
    if (replaces !== undefined && this.#joined(call, leg, replaces)) return;
    // A dialog that is none of ours is known to whoever is called outside (RFC 3891 3); here it is not.
    const groups = targets(call, leg, uri).map((group) =>
      group.flatMap((each) => {
        if (replaces === undefined) return each;
        const headers: HeaderFields = [...(each.headers ?? []), ['Replaces', replaces.field]];
        return each.deviceId === undefined ? { ...each, headers } : [];
      }),
    );
    const found = groups.filter((group) => group.length > 0);
    call.input({ kind: 'refer', leg: leg.name, groups: call.named(found) });
  }

  /** Attended transfer: the peer of another call of the same phone takes its place, also while it rings. */
  #joined(call: ActiveCall, leg: SipLeg, { key, earlyOnly }: Replaced): boolean {
    const { legs, callOf } = this.#dependencies;
    const known = legs.byDialog(key);
    const other = known && callOf(known.name);
    const { session } = call;
    const free = session.phase === 'Talking' && session.transfer === undefined;
    if (known === undefined || other === undefined || other === call || !free) return false;
    const { party, peer, phase, ringing } = other.session;
    if (phase === 'Dialling' && known.name === party) {
      const moving = ringing.filter((name) => this.#move(name, other, call));
      if (moving.length === 0) return false;
      other.input({ kind: 'bequeath' });
      call.input({ kind: 'inherit', leg: leg.name, ringing: moving });
      return true;
    }
    const taken = known.name === party ? peer : party;
    if (phase !== 'Talking' || earlyOnly || taken === undefined || !this.#move(taken, other, call))
      return false;
    other.input({ kind: 'give', leg: taken });
    call.input({ kind: 'take', leg: leg.name, taken });
    return true;
  }

  #move(name: LegName, from: ActiveCall, to: ActiveCall): boolean {
    const target = from.target(name);
    const leg = from.remove(name);
    if (leg === undefined) return false;
    to.add(leg, target);
    this.#dependencies.moved(name, to);
    return true;
  }

  #abilities({ media }: SipLeg): HeaderFields {
    return [
      ['Allow', this.#dependencies.allow.join(', ')],
      ['Accept', `${SDP}, ${DTMF_RELAY}`],
      ['Supported', SUPPORTED],
      ...trickleFields(media),
    ];
  }
}
