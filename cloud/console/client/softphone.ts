import { Inviter, Registerer, RegistererState, type Session, SessionState, UserAgent, Web } from 'sip.js';

/** The states of the telephone in a page. */
export type PhoneState =
  | { readonly kind: 'off'; readonly reason: string }
  | { readonly kind: 'idle'; readonly reason: string }
  | { readonly kind: 'ringing' | 'calling' | 'talking'; readonly who: string; readonly since: number };

export interface SoftphoneSetting {
  /** `wss://host:port/sip` of an appliance. */
  readonly server: string;
  readonly domain: string;
  readonly user: string;
  /** Bearer token of `POST /authorize` (RFC 8898). */
  readonly token: string;
  readonly changed: (state: PhoneState) => void;
}

export interface Softphone {
  readonly call: (whom: string) => Promise<void>;
  readonly answer: () => Promise<void>;
  readonly hangUp: () => Promise<void>;
  /** One of 0-9, * and #, as an RFC 4733 event. */
  readonly press: (digit: string) => void;
  readonly close: () => Promise<void>;
}

const CONSTRAINTS = { audio: true, video: false };
const DIGIT = { duration: 120, interToneGap: 80 };

/**
 * Registers over WebSocket and waits for calls; one call at a time. Rejects with a sentence when the host does not answer or
 * does not take the token. Bundled apart from the pages: sip.js is twice as large as all of them.
 */
export async function openSoftphone(setting: SoftphoneSetting): Promise<Softphone> {
  const { server, domain, user, token, changed } = setting;
  const authorization = [`Authorization: Bearer ${token}`];
  const speaker = new Audio();
  speaker.autoplay = true;
  let session: Session | undefined;

  const idle = (reason = ''): void => {
    session = undefined;
    speaker.srcObject = null;
    changed({ kind: 'idle', reason });
  };
  const follow = (current: Session, kind: 'ringing' | 'calling'): void => {
    session = current;
    const who = current.remoteIdentity.displayName || (current.remoteIdentity.uri.user ?? '');
    changed({ kind, who, since: Date.now() });
    current.stateChange.addListener((state) => {
      if (state === SessionState.Terminated) return idle();
      if (state !== SessionState.Established) return;
      const { sessionDescriptionHandler } = current;
      if (sessionDescriptionHandler instanceof Web.SessionDescriptionHandler) {
        speaker.srcObject = sessionDescriptionHandler.remoteMediaStream;
      }
      changed({ kind: 'talking', who, since: Date.now() });
    });
  };

  const agent = new UserAgent({
    uri: uriOf(`sip:${user}@${domain}`),
    transportOptions: { server },
    sessionDescriptionHandlerFactoryOptions: { peerConnectionConfiguration: { iceServers: [] } },
    logLevel: 'error',
    delegate: {
      onInvite: (invitation) => {
        if (session === undefined) follow(invitation, 'ringing');
        else void invitation.reject({ statusCode: 486 });
      },
      onDisconnect: (error) => {
        if (error !== undefined) changed({ kind: 'off', reason: 'The connection to the host was lost.' });
      },
    },
  });
  await agent.start().catch(() => {
    throw new Error(
      `The server ${server} does not answer. If its certificate is new to this browser, open ${server.replace(/^wss:(.*)\/sip$/, 'https:$1')} once and trust it.`,
    );
  });
  const registerer = new Registerer(agent, { extraHeaders: authorization });
  await registered(registerer);
  idle();

  return {
    call: async (whom) => {
      if (session !== undefined) return;
      const target = uriOf(whom.includes('@') ? `sip:${whom.replace(/^sip:/, '')}` : `sip:${whom}@${domain}`);
      const inviter = new Inviter(agent, target, {
        extraHeaders: authorization,
        sessionDescriptionHandlerOptions: { constraints: CONSTRAINTS },
      });
      follow(inviter, 'calling');
      await inviter.invite({
        requestDelegate: {
          onReject: ({ message }) => idle(`${message.statusCode} ${message.reasonPhrase ?? ''}`.trim()),
        },
      });
    },
    answer: async () => {
      if (session !== undefined && 'accept' in session)
        await (session as Answerable).accept({
          sessionDescriptionHandlerOptions: { constraints: CONSTRAINTS },
        });
    },
    hangUp: async () => {
      if (session === undefined) return;
      if (session.state === SessionState.Established) await session.bye();
      else if (session instanceof Inviter) await session.cancel();
      else await (session as Answerable).reject();
    },
    press: (digit) => {
      session?.sessionDescriptionHandler?.sendDtmf(digit, DIGIT);
    },
    close: async () => {
      await registerer.unregister();
      await agent.stop();
      changed({ kind: 'off', reason: '' });
    },
  };
}

/** sip.js calls this an Invitation. */
interface Answerable extends Session {
  accept(options: object): Promise<void>;
  reject(): Promise<void>;
}

function uriOf(text: string) {
  const uri = UserAgent.makeURI(text);
  if (uri === undefined) throw new Error(`${text} is no SIP address.`);
  return uri;
}

function registered(registerer: Registerer): Promise<void> {
  return new Promise((resolve, reject) => {
    registerer.stateChange.addListener((state) => {
      if (state === RegistererState.Registered) resolve();
    });
    const onReject = ({
      message,
    }: {
      message: { statusCode?: number | undefined; reasonPhrase?: string | undefined };
    }): void =>
      reject(
        new Error(
          `The host does not take the registration: ${message.statusCode} ${message.reasonPhrase ?? ''}`,
        ),
      );
    registerer.register({ requestDelegate: { onReject } }).catch(reject);
  });
}
