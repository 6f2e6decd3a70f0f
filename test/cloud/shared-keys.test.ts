import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningCloud, start } from '#cloud/main.ts';
import { fillOldFolder } from '#test/support/installation/old-data-folder.ts';

let place: string;
let running: RunningCloud | undefined;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'carillon-shared-'));
});
afterEach(async () => {
  await stop();
  rmSync(place, { recursive: true });
});

/** Each process has a folder of its own; the database is the same for all. */
const folder = (name: string) => join(place, name);
const startIn = (name: string, environment: Record<string, string> = {}) =>
  start({
    flags: {},
    file: {},
    environment: {
      CARILLON_DATA: folder(name),
      CARILLON_DATABASE: `sqlite:${join(place, 'cloud.db')}`,
      CARILLON_HTTP: '127.0.0.1:0',
      CARILLON_EDGE: '127.0.0.1:0',
      CARILLON_MQTT_LISTEN: '127.0.0.1:0',
      CARILLON_LOG: 'error',
      ...environment,
    },
  });

async function stop(): Promise<void> {
  await running?.close();
  running = undefined;
}

/** The facts by which hosts and operators know an installation. */
async function identityIn(name: string, environment?: Record<string, string>) {
  const started = await startIn(name, environment);
  if (!started.ok) throw new Error(started.error.reason);
  running = started.value;
  const token = readFileSync(join(folder(name), 'bootstrap-token'), 'utf8').trim();
  const headers = { authorization: `Bearer ${token}` };
  const reported = await fetch(`${String(running.ready.api)}/platform/tenant`, { headers });
  expect(reported.status).toBe(200);
  const keys = await fetch(`${String(running.ready.api)}/.well-known/jwks.json`);
  const ca = readFileSync(join(folder(name), 'authority', 'root.pem'), 'utf8').trim();
  const { keys: signing = [] } = (await keys.json()) as { keys?: { kid: string }[] };
  return { token, ca, kid: signing[0]?.kid };
}

const GIVEN = { CARILLON_VAULT_KEY: Buffer.alloc(32, 3).toString('base64url') };

describe('the keys of an installation', () => {
  it('are the same for a process with an empty folder and the vault key, and none of them lies in a folder', async () => {
    const first = await identityIn('first', GIVEN);
    await stop();
    expect(await identityIn('second', GIVEN)).toEqual(first);
    for (const name of ['first', 'second']) {
      expect(readdirSync(join(folder(name), 'authority'))).toEqual(['root.pem']);
      expect(readdirSync(join(folder(name), 'key'))).toEqual([]);
    }
  });

  it('are adopted from the files of an earlier version, which stay and count no more', async () => {
    const old = await fillOldFolder(folder('first'));
    const adopted = await identityIn('first');
    expect(adopted).toEqual({ ...old, ca: old.ca.trim() });
    await stop();
    for (const file of ['authority/intermediate.key', 'key/signing.key', 'key/prompt-url'])
      expect(existsSync(join(folder('first'), file)), file).toBe(true);
    // Another folder of that version, as a copy of another machine would bring it: the database has its keys already.
    const key = readFileSync(join(folder('first'), 'key', 'vault.key'), 'utf8').trim();
    await fillOldFolder(folder('second'));
    expect(await identityIn('second', { CARILLON_VAULT_KEY: key })).toEqual(adopted);
  });

  it('do not open for a process with another vault key, or with none: the start is refused with the name of the key', async () => {
    await identityIn('first', GIVEN);
    await stop();
    const other = await startIn('second', { CARILLON_VAULT_KEY: Buffer.alloc(32, 4).toString('base64url') });
    expect(other).toMatchObject({
      ok: false,
      error: {
        reason: expect.stringMatching(
          /sealed with the vault key ([0-9a-f]{8}), and the key of CARILLON_VAULT_KEY is (?!\1)/,
        ),
      },
    });
    const none = await startIn('third');
    expect(none).toMatchObject({
      ok: false,
      error: {
        reason: expect.stringMatching(/sealed with the vault key [0-9a-f]{8}, and this process has none/),
      },
    });
    expect(existsSync(join(folder('third'), 'key', 'vault.key'))).toBe(false);
    const program = join(place, 'key.sh');
    writeFileSync(program, `#!/bin/sh\necho ${GIVEN.CARILLON_VAULT_KEY}\n`, { mode: 0o700 });
    const both = await startIn('fourth', { ...GIVEN, CARILLON_VAULT_KEY_COMMAND: program });
    expect(both).toMatchObject({
      ok: false,
      error: { reason: expect.stringContaining('both give a vault key') },
    });
  });
});
