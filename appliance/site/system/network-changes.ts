import type { HostNote, NetworkRequest, Twin } from '#shared/contract/feed/index.ts';
import type { Log } from '#shared/log.ts';
import type { NetworkAlarm } from './network-alarm.ts';
import { type AskedNetwork, networkStep } from './network-request.ts';
import { initialProof, stepProof } from './session-proof.ts';

const LOOK_MS = 1_000;
const AGAIN_MS = 60_000;
/** Exit code of what is missing on this host. */
const MISSING = 69;

export interface NetworkChangesPorts {
  /** The last request to root. A record that cannot be read is none: root finds the request in force already. */
  readonly asked: () => AskedNetwork | undefined;
  readonly keepAsked: (asked: AskedNetwork) => Promise<void>;
  /** Lays a request before root; undefined: no service with root looks after this program. */
  readonly askRoot: ((request: NetworkRequest) => Promise<void>) | undefined;
  /** The file that root takes away and waits for. */
  readonly proof: {
    readonly present: () => boolean;
    readonly write: (session: string) => Promise<void>;
    readonly remove: () => Promise<void>;
  };
  readonly alarm: Pick<NetworkAlarm, 'look' | 'withdrawn'>;
  /** The newest twin, as it was signed. */
  readonly signedTwin: () => string | undefined;
  /** How its key followed those before it; root may know an older one only. */
  readonly keyChain: () => readonly string[];
  /** A technician on site holds the network against the cloud. */
  readonly pinned: () => boolean;
  readonly session: () => string | undefined;
  readonly renewSession: (reason: string) => void;
  /** False: the note did not reach the cloud. */
  readonly tell: (note: HostNote) => Promise<boolean>;
  readonly wallMs: () => number;
  readonly startTimer: (delayMs: number, fire: () => void) => () => void;
  readonly log: Log;
  readonly run: (work: Promise<unknown>) => void;
}

/**
 * Addresses that a twin requests: laid before root with their signature (`carillon maintenance`), and the proof that the cloud was
 * reached after the change, without which root takes it back.
 *
 *     twin ── wanted.json ── carillon-maintenance.path ── changed ── session made again ── stays, note
 *                                                            └── none within two minutes ── undone, note, alarm
 */
export class NetworkChanges {
  readonly #ports: NetworkChangesPorts;
  #proof = initialProof;
  #twin: Twin | undefined;
  #busy = false;
  #stopAgain = (): void => undefined;
  #stopLook = (): void => undefined;
  #stopped = false;

  constructor(ports: NetworkChangesPorts) {
    this.#ports = ports;
  }

  /** A proof that is there comes from a former run. Without root there is no program to prove anything to. */
  start(): void {
    const { askRoot, proof, run } = this.#ports;
    if (askRoot !== undefined) run(proof.remove().then(() => this.#looks()));
  }

  twinChanged(twin: Twin): void {
    this.#twin = twin;
    this.#stopAgain();
    this.#ports.run(this.#work());
  }

  stop(): void {
    this.#stopped = true;
    this.#stopAgain();
    this.#stopLook();
  }

  /** One at a time, and the newest request last. */
  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    try {
      for (let done: Twin | undefined; this.#twin !== undefined && done !== this.#twin && !this.#stopped; ) {
        done = this.#twin;
        await this.#follow(done);
      }
    } catch (cause) {
      const { log, run, startTimer } = this.#ports;
      log('warn', 'network_request.postponed', 'Postponed the addresses of the control plane', {
        cause: String(cause),
      });
      if (!this.#stopped) this.#stopAgain = startTimer(AGAIN_MS, () => run(this.#work()));
    } finally {
      this.#busy = false;
    }
  }

  async #follow(request: Twin): Promise<void> {
    const { asked, alarm, askRoot, keepAsked, keyChain, log, pinned, signedTwin, wallMs } = this.#ports;
    const compact = signedTwin();
    const step = networkStep(request, asked(), pinned());
    const { net } = request;
    if (net === null) await alarm.withdrawn();
    if (step === 'nothing' || compact === undefined) return;
    if (step === 'remember' || (askRoot === undefined && net === null)) return keepAsked({ net });
    if (askRoot === undefined) await this.#refuse(request);
    else {
      await askRoot({ v: 1, kind: 'network', twin: compact, keys: [...keyChain()], at: wallMs() });
      if (net !== null)
        log('info', 'network_request.submitted', 'Asked root to set the addresses of the control plane', net);
    }
    await keepAsked({ net });
  }

  /** The cloud must know that no program here can set its addresses. */
  async #refuse({ net, twinRev }: Twin): Promise<void> {
    const { ifs = [], prefix = 0 } = net ?? {};
    const sentence = 'This program is not run by its unit: whoever started it sets its addresses.';
    this.#ports.log(
      'warn',
      'network_request.not_applied',
      'Could not set the addresses of the control plane: the program does not run under its unit',
      { ifs, prefix },
    );
    const note = { kind: 'network', twinRev, networkInterfaces: ifs, networkPrefixLength: prefix } as const;
    if (!(await this.#ports.tell({ ...note, code: MISSING, sentence }))) throw new Error('nobody heard it');
  }

  #looks(): void {
    const { run, startTimer } = this.#ports;
    const again = (): void => {
      if (!this.#stopped) this.#stopLook = startTimer(LOOK_MS, () => this.#looks());
    };
    run(this.#look().finally(again));
  }

  async #look(): Promise<void> {
    const { alarm, proof, renewSession, session } = this.#ports;
    const { state, effect } = stepProof(this.#proof, { session: session(), present: proof.present() });
    this.#proof = state;
    if (effect === 'renew') renewSession('made anew over the network as it is now');
    else if (effect === 'write') await proof.write(session() ?? '');
    await alarm.look();
  }
}
