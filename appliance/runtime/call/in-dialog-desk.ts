import type { LegName } from '../../call/session/index.ts';
import type { Media } from '../../media/control/index.ts';
import { DTMF, DTMF_RELAY, readDtmf, writeDtmfRelay } from '../../sip/dialog/index.ts';
import type { HeaderFields, SipRequest } from '../../sip/message/index.ts';
import { SDP } from '../../sip/sdp/index.ts';
import type { CallCase } from './call-case.ts';
import type { LegBook } from './leg-book.ts';
import { type ReferBook, referTarget } from './refer-book.ts';
import type { SipLeg } from './sip-leg.ts';
import type { TargetGroups } from './target-desk.ts';

export interface InDialogParts {
  readonly media: Media;
  readonly run: (work: Promise<unknown>) => void;
  readonly refers: ReferBook;
  readonly legs: LegBook;
  readonly allow: readonly string[];
  readonly callOf: (leg: LegName) => CallCase | undefined;
  /** Whom a call is to be sent to. */
  readonly targets: (call: CallCase, uri: string) => TargetGroups;
  /** A leg belongs to this call from now on. */
  readonly moved: (leg: LegName, call: CallCase) => void;
}

/** Length of a digit whose sender told none, and the pause behind it, ms. */
const DIGIT_MS = 100;
const PAUSE_MS = 60;

/** Requests inside a dialog that are no business of the dialog itself: digits, transfers, questions. */
export class InDialogDesk {
  readonly #parts: InDialogParts;
  /** Legs that say their digits by INFO: they are told digits the same way. */
  readonly #byInfo = new Set<LegName>();
  #plays = 0;

  constructor(parts: InDialogParts) {
    this.#parts = parts;
  }

  forget(leg: LegName): void {
    this.#byInfo.delete(leg);
    this.#parts.refers.forget(leg);
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
        leg.respond(server, 200, this.#abilities());
        return;
      case 'NOTIFY':
        // RFC 6665 4.1.3: we asked for no subscription.
        leg.respond(server, 481);
        return;
      default:
        leg.respond(server, 405, [['Allow', this.#parts.allow.join(', ')]]);
    }
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
    this.#parts.run(this.#parts.media.sendDigits(leg.name, `${leg.name} info ${++this.#plays}`, sending));
  }

  #info(leg: SipLeg, request: SipRequest, server: number): void {
    const type = request.contentType;
    // Interop: an empty INFO asks whether we are still there.
    if (type === undefined && request.contentLength === 0) {
      leg.respond(server, 200);
      return;
    }
    if (type !== DTMF && type !== DTMF_RELAY) {
      leg.respond(server, 415, [['Accept', `${DTMF_RELAY}, ${DTMF}`]]);
      return;
    }
    const read = readDtmf(type, request.body);
    if (!read.ok) {
      leg.respond(server, 400, [['Warning', `399 carillon "${read.error.reason}"`]]);
      return;
    }
    leg.respond(server, 200);
    this.#byInfo.add(leg.name);
    const { digit, durationMs } = read.value;
    this.#parts.callOf(leg.name)?.input({ kind: 'digit', leg: leg.name, digit, durationMs });
  }

  #refer(leg: SipLeg, request: SipRequest, server: number): void {
    const { refers, callOf, targets } = this.#parts;
    const target = referTarget(request);
    const call = callOf(leg.name);
    if (target === undefined || call === undefined) {
      leg.respond(server, target === undefined ? 400 : 481);
      return;
    }
    if (refers.busy(leg.name)) {
      leg.respond(server, 491);
      return;
    }
    refers.asked(leg.name, server);
    call.trace.add('note', { text: `${leg.name} asks that the other party be transferred to ${target.uri}` });
    if (target.replaces === undefined) {
      const groups = call.named(targets(call, target.uri));
      call.input({ kind: 'refer', leg: leg.name, groups });
    } else this.#take(call, leg, target.replaces);
  }

  /** Attended transfer: the peer of another call of the same phone takes its place. */
  #take(call: CallCase, leg: SipLeg, replaces: string): void {
    const { legs, callOf, moved } = this.#parts;
    const known = legs.byDialog(replaces);
    const other = known && callOf(known.name);
    const { party, peer, phase } = other?.session ?? {};
    const taken = known?.name === party ? peer : party;
    const ready = phase === 'Talking' && other !== call && call.session.phase === 'Talking';
    if (other === undefined || taken === undefined || !ready || call.session.transfer !== undefined) {
      // The refusal of an empty transfer: nobody is there to be transferred to.
      call.input({ kind: 'refer', leg: leg.name, groups: [] });
      return;
    }
    const moving = other.remove(taken);
    if (moving === undefined) return;
    call.add(moving);
    moved(taken, call);
    other.input({ kind: 'give', leg: taken });
    call.input({ kind: 'take', leg: leg.name, taken });
  }

  #abilities(): HeaderFields {
    return [
      ['Allow', this.#parts.allow.join(', ')],
      ['Accept', `${SDP}, ${DTMF_RELAY}`],
      ['Supported', '100rel, timer'],
    ];
  }
}
