import { readFileSync } from 'node:fs';
import { listenAdvice } from '#shared/setting/index.ts';
import type { HostIdentity } from '../../site/index.ts';
import {
  type Certificate,
  type HttpsListener,
  type ListenOptions,
  listenHttps,
} from '../https-listener/index.ts';
import { type ListenAddress, refuse, type SipNetwork, type TlsCredentials } from '../sip-transport/index.ts';
import { chooseClientCertificate } from './client-certificate.ts';

export interface SecureListenerSetting {
  /** Each a listener of its own; with one alone `::` hears IPv4 as well. */
  readonly http: readonly ListenAddress[];
  readonly sipTls: readonly ListenAddress[];
  /** SIP over WebSocket alone, on ports of its own; absent: none. */
  readonly sipWss?: readonly ListenAddress[];
  /** Files of the customer's own certificate; else the one of the enrolment is shown. */
  readonly tlsFiles: { readonly cert: string; readonly key: string } | undefined;
  /** PEM of authorities trusted for outgoing SIP over TLS. */
  readonly trustPem: string | undefined;
  /**
   * One of our own making, for a machine that has no other yet: it opens HTTPS for the technician. SIP over TLS waits for
   * one that devices can trust.
   */
  readonly ownCertificate?: () => Promise<Certificate>;
  /** Gets a warning for the operator: the fault, and what to do. */
  readonly warn?: (text: string) => void;
}

type Answer = (request: Request, source: string) => Response | Promise<Response>;

/** SIP over WebSocket (operations: settings). Interop: clients of platforms with the same API connect to `/ws`. */
const SIP_PATH = '/sip';
const SIP_PATHS: readonly string[] = [SIP_PATH, '/ws'];

/**
 * The listeners that need a certificate: HTTPS and SIP over TLS. They open with the customer's own or with the one of
 * the enrolment, and show a new one as soon as there is one.
 */
export class SecureListeners {
  readonly #setting: SecureListenerSetting;
  readonly #network: SipNetwork;
  readonly #answer: Answer;
  #https: readonly HttpsListener[] = [];
  #webSockets: readonly HttpsListener[] = [];
  #opening: Promise<void> = Promise.resolve();
  /** Each renewal opens the doors again: what was said already is not said again. */
  #warned: string | undefined;

  /** `answer`: every HTTPS request of the site. */
  constructor(setting: SecureListenerSetting, network: SipNetwork, answer: Answer) {
    this.#setting = setting;
    this.#network = network;
    this.#answer = answer;
  }

  /** Where HTTPS listens, with the real ports; none: not open yet. */
  get bound(): readonly ListenAddress[] {
    return this.#https.map(({ port }, index) => ({ host: this.#setting.http[index]?.host ?? '', port }));
  }

  /**
   * Rejects with the address or the file in the message. Without any certificate the listeners stay closed. Calls run one after
   * the other: an enrolled host gets its identity while it starts, and each listener must be opened once.
   */
  open(identity: HostIdentity | undefined): Promise<void> {
    const opened = this.#opening.then(() => this.#open(identity));
    this.#opening = opened.catch(() => undefined);
    return opened;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#https, ...this.#webSockets].map((listener) => listener.close()));
  }

  async #open(identity: HostIdentity | undefined): Promise<void> {
    const { tlsFiles, http, sipTls, sipWss = [], trustPem, ownCertificate } = this.#setting;
    const issued = identity && { cert: identity.certificatePem, key: identity.keyPem };
    const trusted = tlsFiles === undefined ? issued : readCertificate(tlsFiles);
    const certificate = trusted ?? (await ownCertificate?.());
    if (certificate === undefined) return;
    const upgrade: ListenOptions['upgrade'] = (request, socket, head) => this.#upgrade(request, socket, head);
    for (const listener of [...this.#https, ...this.#webSockets]) listener.renew(certificate);
    for (const { host, port } of http.slice(this.#https.length)) {
      const listen = { host, port, certificate, upgrade, ownFamily: http.length > 1 };
      this.#https = [...this.#https, await opened(listen, this.#answer, 'CARILLON_APPLIANCE_HTTP')];
    }
    if (trusted === undefined) return;
    for (const { host, port } of sipWss.slice(this.#webSockets.length)) {
      const listen = { host, port, certificate, upgrade, ownFamily: sipWss.length > 1 };
      this.#webSockets = [...this.#webSockets, await opened(listen, onlyWebSockets, 'CARILLON_SIP_WSS')];
    }
    const { client, warning } = chooseClientCertificate(trusted, issued);
    if (warning !== undefined && warning !== this.#warned) this.#setting.warn?.(warning);
    this.#warned = warning;
    const ca = [identity?.caPem, trustPem].filter((pem) => pem !== undefined);
    const credentials: TlsCredentials = { ...trusted, ca, client };
    await this.#network.secure(sipTls, () => credentials);
  }

  /** WebSockets of the site; each path has its own taker. */
  #upgrade(...[request, socket, head]: Parameters<NonNullable<ListenOptions['upgrade']>>): void {
    const [path = '/'] = (request.url ?? '/').split('?');
    if (SIP_PATHS.includes(path)) this.#network.upgrade({ request, socket, head });
    else
      refuse(socket, '404 Not Found', `The path ${path} has no WebSocket. Connect to ${SIP_PATH} for SIP.`);
  }
}

/** Rejects with the address and the setting in the message. */
function opened(listen: ListenOptions, answer: Answer, setting: string): Promise<HttpsListener> {
  return listenHttps(listen, answer).catch((cause: NodeJS.ErrnoException) => {
    const { host, port } = listen;
    const advice = listenAdvice(setting, { host, port }, cause.code);
    throw new Error(`HTTPS cannot listen on ${host} port ${port}: ${cause.message}; ${advice}`);
  });
}

/** A port of SIP over WebSocket has no pages (RFC 9110 15.5.22). */
const onlyWebSockets: Answer = () =>
  new Response(`This port has no pages. Connect a WebSocket to ${SIP_PATH}.`, {
    status: 426,
    headers: { Upgrade: 'websocket' },
  });

function readCertificate(files: { readonly cert: string; readonly key: string }): Certificate {
  try {
    return { cert: readFileSync(files.cert, 'utf8'), key: readFileSync(files.key, 'utf8') };
  } catch (cause) {
    throw new Error(`CARILLON_TLS_CERT or CARILLON_TLS_KEY cannot be read: ${(cause as Error).message}`);
  }
}
