import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface BrokerMessage {
  readonly topic: string;
  readonly text: string;
  /** When it was received here, of the monotonic clock. */
  readonly atMs: number;
}

/** Everything that goes through a broker from the moment `mosquitto_sub` has its subscription. */
export class BrokerEar {
  readonly #child: ChildProcess;
  readonly #received: BrokerMessage[] = [];
  #taken = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** `address`: how `mosquitto_sub` finds the broker and says who it is. */
  static async open(address: readonly string[], topic = 'carillon/1/#'): Promise<BrokerEar> {
    const args = [...address, '-t', topic, '-q', '1', '-v', '-d'];
    // It would keep its lines back while no terminal reads them.
    const child = spawn('stdbuf', ['-oL', 'mosquitto_sub', ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
    const ear = new BrokerEar(child);
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      const late = setTimeout(() => {
        child.kill('SIGTERM');
        reject(new Error('mosquitto_sub got no subscription'));
      }, 10_000);
      child.once('exit', () => reject(new Error('mosquitto_sub ended before it was subscribed')));
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (line.startsWith('Subscribed ')) {
          clearTimeout(late);
          resolve();
        } else if (line.startsWith('carillon/')) ear.#note(line);
      });
    });
    return ear;
  }

  /** The first message after the last one taken that fits; rejects when none comes in time. */
  async next(leaf: string, fits: (message: Record<string, unknown>) => boolean, withinMs = 20_000) {
    const untilMs = performance.now() + withinMs;
    for (;;) {
      for (; this.#taken < this.#received.length; this.#taken++) {
        const { topic = '', text = '' } = this.#received[this.#taken] ?? {};
        if (!topic.endsWith(leaf) || !text.startsWith('{')) continue;
        const message = JSON.parse(text) as Record<string, unknown>;
        if (!fits(message)) continue;
        this.#taken++;
        return message;
      }
      if (performance.now() > untilMs) throw new Error(`no such ${leaf}; heard ${this.#topics()}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Everything heard so far below a leaf. */
  all(leaf: string): readonly BrokerMessage[] {
    return this.#received.filter(({ topic }) => topic.endsWith(leaf));
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exited;
  }

  #note(line: string): void {
    const space = line.indexOf(' ');
    const [topic, text] = [line.slice(0, space), line.slice(space + 1)];
    this.#received.push({ topic, text, atMs: performance.now() });
  }

  #topics(): string {
    return [...new Set(this.#received.map(({ topic }) => topic.replace(/^.*\/((up|dn|cp)\/)/, '$1')))].join(
      ', ',
    );
  }
}
