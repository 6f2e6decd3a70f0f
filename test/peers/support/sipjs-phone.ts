import {
  type Core,
  type Invitation,
  Inviter,
  Registerer,
  RegistererState,
  type Session,
  type SessionDescriptionHandler,
  SessionState,
  UserAgent,
} from 'sip.js';
import { WebSocket } from 'ws';

const DOMAIN = 'care.example';

type Response = Parameters<NonNullable<Core.OutgoingRequestDelegate['onAccept']>>[0];

/**
 * Descriptions for sip.js outside of a browser: plain audio that goes nowhere. The description says what the test wants
 * (`direction`), and the one of the other side is kept.
 */
class Description implements SessionDescriptionHandler {
  direction = 'sendrecv';
  remoteSdp = '';
  #version = 0;

  async getDescription() {
    const lines = [
      'v=0',
      `o=- 7 ${++this.#version} IN IP4 127.0.0.1`,
      's=-',
      'c=IN IP4 127.0.0.1',
      't=0 0',
      'm=audio 9 RTP/AVP 8 101',
      'a=rtpmap:101 telephone-event/8000',
      `a=${this.direction}`,
      '',
    ];
    return { body: lines.join('\r\n'), contentType: 'application/sdp' };
  }

  async setDescription(sdp: string): Promise<void> {
    this.remoteSdp = sdp;
  }

  hasDescription(contentType: string): boolean {
    return contentType === 'application/sdp';
  }

  sendDtmf(): boolean {
    return false;
  }

  close(): void {}
}

/** The WebSocket of a browser, which trusts the platform's root. */
function trusting(ca: string): typeof globalThis.WebSocket {
  class Trusting extends WebSocket {
    constructor(url: string, protocols?: string | string[]) {
      super(url, protocols, { ca });
    }
  }
  return Trusting as unknown as typeof globalThis.WebSocket;
}

/** sip.js in Node, over WebSocket with a bearer token: a stack that shares nothing with ours. */
export class SipJsPhone {
  readonly #agent: UserAgent;
  readonly #bearer: string;
  readonly #before = globalThis.WebSocket;
  /** INVITEs that came, in their order. */
  readonly rung: Invitation[] = [];

  constructor(user: string, server: string, token: string, ca: string) {
    globalThis.WebSocket = trusting(ca);
    this.#bearer = `Authorization: Bearer ${token}`;
    const uri = UserAgent.makeURI(`sip:${user}@${DOMAIN}`);
    if (uri === undefined) throw new Error(`${user} makes no address`);
    this.#agent = new UserAgent({
      uri,
      transportOptions: { server },
      sessionDescriptionHandlerFactory: () => new Description(),
      logLevel: 'error',
      delegate: { onInvite: (invitation) => this.rung.push(invitation) },
    });
  }

  async register(): Promise<void> {
    await this.#agent.start();
    const registerer = new Registerer(this.#agent, { extraHeaders: [this.#bearer] });
    await new Promise<void>((resolve, reject) => {
      registerer.stateChange.addListener((state) => state === RegistererState.Registered && resolve());
      const onReject = ({ message }: Response) => reject(new Error(`REGISTER: ${message.statusCode}`));
      registerer.register({ requestDelegate: { onReject } }).catch(reject);
    });
  }

  /** Resolves when it is answered; rejects with the status of a refusal. */
  async call(user: string): Promise<Inviter> {
    const inviter = new Inviter(this.#agent, address(user), { extraHeaders: [this.#bearer] });
    await new Promise<void>((resolve, reject) => {
      const onReject = ({ message }: Response) =>
        reject(new Error(`INVITE ${user}: ${message.statusCode} ${message.getHeader('Warning') ?? ''}`));
      const requestDelegate = { onAccept: () => resolve(), onReject };
      inviter.invite({ requestDelegate }).catch(reject);
    });
    return inviter;
  }

  async close(): Promise<void> {
    await this.#agent.stop();
    globalThis.WebSocket = this.#before;
  }
}

export const address = (user: string) => {
  const uri = UserAgent.makeURI(`sip:${user}@${DOMAIN}`);
  if (uri === undefined) throw new Error(`${user} makes no address`);
  return uri;
};

const descriptionOf = (session: Session): Description =>
  session.sessionDescriptionHandler as unknown as Description;

/** Description of the other side, as it was heard last. */
export const remoteDescription = (session: Session): string => descriptionOf(session).remoteSdp;

export const isUp = (session: Session): boolean => session.state === SessionState.Established;
export const isOver = (session: Session): boolean => session.state === SessionState.Terminated;

/** Status of a re-INVITE that offers this direction. */
export function offers(session: Session, direction: string): Promise<number> {
  descriptionOf(session).direction = direction;
  return new Promise((resolve, reject) => {
    const answered = ({ message }: Response) => resolve(message.statusCode ?? 0);
    session.invite({ requestDelegate: { onAccept: answered, onReject: answered } }).catch(reject);
  });
}

/** Status of an INFO with a digit. */
export function presses(session: Session, digit: string): Promise<number> {
  const body = {
    contentDisposition: 'render',
    contentType: 'application/dtmf-relay',
    content: `Signal=${digit}\r\nDuration=160\r\n`,
  };
  return new Promise((resolve, reject) => {
    const answered = ({ message }: Response) => resolve(message.statusCode ?? 0);
    session
      .info({ requestDelegate: { onAccept: answered, onReject: answered }, requestOptions: { body } })
      .catch(reject);
  });
}

/** Status lines of the NOTIFYs of a transfer, as they come. */
export async function refers(session: Session, to: Parameters<Session['refer']>[0]): Promise<string[]> {
  const statusLines: string[] = [];
  await session.refer(to, {
    onNotify: (notification) => {
      statusLines.push(notification.request.body.split('\r\n')[0] ?? '');
      void notification.accept();
    },
  });
  return statusLines;
}
