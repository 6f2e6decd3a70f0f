import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Site } from '#test/support/site.ts';

/** A row of the alarm queue, as far as the campaign needs it. */
export interface QueueRow {
  readonly alarmId: string;
  readonly state: string;
  readonly call: string;
  readonly turn: number;
}

const PERSON = { email: 'duty@demo.carillon.test', password: 'correct horse battery' };

/** A person who is signed in to the control plane, and takes alarms of the queue. */
export class QueuePerson {
  readonly #site: Site;
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(site: Site, headers: Readonly<Record<string, string>>) {
    this.#site = site;
    this.#headers = headers;
  }

  /** Invited by the platform owner, as operator. */
  static async signIn(site: Site): Promise<QueuePerson> {
    const { api, domain, cloudFolder } = site;
    const owner = readFileSync(join(cloudFolder, 'bootstrap-token'), 'utf8').trim();
    const send = (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
      fetch(`${api}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const { email, password } = PERSON;
    const authorization = `Bearer ${owner}`;
    const invited = await send(
      `/provisioning/user/${domain}`,
      { email, role: 'operator' },
      { authorization },
    );
    const { link } = (await invited.json()) as { link: string };
    const made = await send(new URL(link).pathname, {
      email,
      password,
      firstName: 'Duty',
      lastName: 'Operator',
    });
    if (!made.ok) throw new Error(`the invitation was not taken up: ${made.status} ${await made.text()}`);
    const session = await send('/session', { email, password });
    const { csrfToken, reason } = (await session.json()) as { csrfToken?: string; reason?: string };
    if (csrfToken === undefined) throw new Error(`the person did not sign in: ${reason}`);
    const cookie = session.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ');
    return new QueuePerson(site, { cookie, 'x-csrf-token': csrfToken, 'content-type': 'application/json' });
  }

  async rows(): Promise<readonly QueueRow[]> {
    const { api, domain } = this.#site;
    const answer = await fetch(`${api}/alarmqueue/${domain}`, { headers: this.#headers });
    const said = (await answer.json()) as { readonly alarms?: readonly QueueRow[]; readonly reason?: string };
    if (said.alarms === undefined)
      throw new Error(`the alarm queue was not read: ${answer.status} ${said.reason}`);
    return said.alarms;
  }

  /** The host calls this telephone. */
  take(alarmId: string, deviceId: string): Promise<Record<string, unknown>> {
    return this.#act(alarmId, 'take', { by: 'softphone', deviceId });
  }

  heartbeat(alarmId: string, turn: number): Promise<Record<string, unknown>> {
    return this.#act(alarmId, 'heartbeat', { turn });
  }

  clear(alarmId: string, turn: number): Promise<Record<string, unknown>> {
    return this.#act(alarmId, 'clear', { turn });
  }

  async #act(alarmId: string, verb: string, body: object): Promise<Record<string, unknown>> {
    const { api, domain } = this.#site;
    const answer = await fetch(`${api}/alarmqueue/${domain}/${alarmId}/${verb}`, {
      method: 'POST',
      headers: this.#headers,
      body: JSON.stringify(body),
    });
    return (await answer.json()) as Record<string, unknown>;
  }
}
