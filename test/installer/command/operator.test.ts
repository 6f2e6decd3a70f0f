import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operatorCommands } from '#installer/command/operator/index.ts';
import { SUPERVISION_OPERATIONS } from '#installer/command/operator/supervision-table.ts';
import { OPERATIONS_OF_OPERATOR } from '#installer/command/operator/table.ts';
import { exitCode, Stop } from '#installer/exit-code.ts';
import { openWholeCloud, type WholeCloud } from '../../cloud/whole-cloud.ts';

let cloud: WholeCloud;
let folder: string;
beforeAll(async () => {
  cloud = await openWholeCloud();
  folder = mkdtempSync(join(tmpdir(), 'carillon-operator-'));
});
afterAll(async () => {
  await cloud.close();
  rmSync(folder, { recursive: true });
});

interface Ran {
  readonly code: number;
  readonly text: string;
}

/** The command as the root command runs it; `text` is what it says, or the sentence it ends with. */
async function carillon(words: readonly string[], environment: Record<string, string> = {}): Promise<Ran> {
  const lines: string[] = [];
  const root = new Command('carillon').exitOverride();
  operatorCommands(root, {
    environment: { XDG_CONFIG_HOME: folder, ...environment },
    say: (line) => lines.push(line),
  });
  try {
    await root.parseAsync(words, { from: 'user' });
    return { code: exitCode.done, text: lines.join('\n') };
  } catch (cause) {
    if (cause instanceof Stop) return { code: cause.code, text: cause.message };
    throw cause;
  }
}

const json = async (...words: string[]) => {
  const { code, text } = await carillon([...words, '--json']);
  if (code !== exitCode.done) throw new Error(text);
  return JSON.parse(text) as Record<string, unknown>;
};

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('the commands of the operator', () => {
  it('ask for a login, and keep it for this user alone', async () => {
    expect(await carillon(['tenant', 'list', '--cloud', cloud.api])).toMatchObject({
      code: exitCode.notPermitted,
      text: expect.stringContaining('Run carillon login') as string,
    });
    const wrong = file('wrong', 'nobody');
    const refused = await carillon(['login', '--cloud', cloud.api, '--token-file', wrong]);
    expect(refused.code).toBe(exitCode.notPermitted);
    const token = file('token', `${cloud.owner}\n`);
    const done = await carillon(['login', '--cloud', `${cloud.api}/`, '--token-file', token]);
    expect(done).toMatchObject({ code: 0, text: expect.stringContaining(cloud.api) as string });
    const kept = join(folder, 'carillon', 'login.json');
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(kept, 'utf8'))).toEqual({ cloud: cloud.api, token: cloud.owner });
  });

  it('speak to the demo that has run in this folder where no person has signed in, and to no other with its token', async () => {
    const data = join(folder, 'data');
    mkdirSync(join(data, 'demo'), { recursive: true });
    const facts = JSON.stringify({ api: cloud.api, token: cloud.owner });
    writeFileSync(join(data, 'demo', 'ready.json'), facts);
    const environment = { XDG_CONFIG_HOME: join(folder, 'empty'), CARILLON_DATA: data };
    expect(await carillon(['tenant', 'list'], environment)).toMatchObject({ code: exitCode.done });
    const other = ['tenant', 'list', '--cloud', 'http://127.0.0.1:9'];
    expect(await carillon(other, environment)).toMatchObject({ code: exitCode.notPermitted });
    writeFileSync(join(data, 'demo', 'ready.json'), 'half a fi');
    expect(await carillon(other, environment)).toMatchObject({ code: exitCode.notPermitted });
  });

  it('make tenants and sites, and claim a host', async () => {
    expect(await carillon(['tenant', 'create', 'care.example', '--name', 'Care'])).toEqual({
      code: 0,
      text: 'The tenant care.example is there.',
    });
    expect(await json('tenant', 'list')).toMatchObject({
      tenants: [{ domain: 'care.example', name: 'Care' }],
    });
    expect((await carillon(['tenant', 'list'])).text).toBe('domain        name\ncare.example  Care');
    expect(await json('site', 'create', 'care.example', '--site-id', 'north')).toMatchObject({
      siteId: 'north',
    });
    expect((await carillon(['site', 'list', 'care.example'])).text).toContain('north   standard  -');
    expect(await json('host', 'list', 'care.example')).toEqual({ success: true, hosts: [] });
    const claim = await json('host', 'claim', 'care.example', 'north', '--host-id', 'gw-1', '--uses', '1');
    expect((await carillon(['host', 'claim', 'care.example', 'north'])).text).toContain(
      'carillon appliance --claim',
    );
    expect(claim.claimCode).toEqual(expect.any(String));
    expect(await carillon(['host', 'claim', 'care.example', 'north', '--uses', 'many'])).toEqual({
      code: exitCode.wrongUse,
      text: 'uses must be a number, not many.',
    });
  });

  it('put, show, list, load and delete devices', async () => {
    const device = file('device.json', '{"deviceId":"d-1","authType":"credentials","srtp":"negotiated"}');
    const put = await carillon(['device', 'put', 'care.example', device]);
    expect(put.text).toMatch(/^Stored\. Its password, shown this once: \S{24}$/);
    expect(await json('device', 'get', 'care.example', 'd-1')).toMatchObject({
      deviceId: 'd-1',
      ha1: '<secret>',
    });
    const rows = Array.from({ length: 250 }, (_, i) => `b-${String(i).padStart(3, '0')},deviceid,negotiated`);
    const csv = file('devices.csv', ['deviceId,authType,srtp', ...rows, ''].join('\n'));
    expect((await carillon(['device', 'bulk', 'care.example', csv, '--dry-run'])).text).toBe(
      '250 of 250 devices would be in.',
    );
    expect((await carillon(['device', 'bulk', 'care.example', csv])).text).toBe('250 of 250 devices are in.');
    const all = (await json('device', 'list', 'care.example', '--filter', 'b-')) as {
      devices: { deviceId: string }[];
    };
    expect(all.devices.map(({ deviceId }) => deviceId)).toEqual(rows.map((row) => row.split(',')[0]));
    const few = await carillon(['device', 'list', 'care.example', '--most', '3']);
    expect(few.text.split('\n').map((line) => line.split(' ')[0])).toEqual([
      'deviceId',
      'b-000',
      'b-001',
      'b-002',
      'There',
    ]);
    const bad = file('bad.csv', 'deviceId,authType,srtp\nb-1,nothing,negotiated\n');
    expect(await carillon(['device', 'bulk', 'care.example', bad])).toMatchObject({
      code: exitCode.damagedFile,
      text: expect.stringContaining('row') as string,
    });
    expect((await carillon(['device', 'delete', 'care.example', 'd-1'])).text).toBe(
      'The device d-1 is deleted.',
    );
    expect(await carillon(['device', 'get', 'care.example', 'd-1'])).toEqual({
      code: exitCode.refused,
      text: 'The device d-1 does not exist. Check the deviceId.',
    });
  });

  it('show configuration, alarms and traces, and promote drafts', async () => {
    expect(await json('config', 'get', 'care.example')).toMatchObject({
      configuration: { alarmbridges: [] },
    });
    const bridge = {
      protocol: 'scaip',
      name: 'North',
      destinationMatch: '^north$',
      callbackBaseUrl: 'https://arc.example/callback',
      restAuthentication: [{ sub: 'carillon', secret: 'not-shown', type: 'HS256' }],
    };
    const answer = await fetch(`${cloud.api}/provisioning/alarmbridge/care.example?provisory=true`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${cloud.owner}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(bridge),
    });
    const { id } = (await answer.json()) as { id: string };
    expect(await json('config', 'promote', 'care.example', '--alarmbridges', id)).toMatchObject({
      alarmbridges: [id],
    });
    expect(await json('config', 'get', 'care.example')).toMatchObject({
      configuration: { alarmbridges: [{ name: 'North' }] },
    });
    expect(await json('alarm', 'list', 'care.example', '--status', 'active')).toEqual({
      success: true,
      alarms: [],
    });
    for (const words of [['ack'], ['show'], ['resend'], ['note', 'a word']] as const)
      expect(
        await carillon(['alarm', words[0], 'care.example', '01jd0000000000000000000000', ...words.slice(1)]),
      ).toEqual({
        code: exitCode.refused,
        text: 'The alarm 01jd0000000000000000000000 does not exist. List the alarms for their ids.',
      });
    expect((await carillon(['alarm', 'list', 'care.example', '--site', 'north', '--csv'])).text).toBe(
      '"raisedAt","clearedAt","status","error","siteId","hostId","late","untold","alarmId"',
    );
    const trace = await carillon(['trace', 'care.example', '0b3f3a0e-6b1a-4a55-9d0c-2f5b6f1f7c11']);
    expect(trace).toEqual({ code: 0, text: 'at  level  siteId  hostId  type  details' });
  });

  it('export records as a file, which only this user reads, and on the terminal', async () => {
    const out = join(folder, 'records.csv');
    expect(await carillon(['record', 'export', 'care.example', '--out', out])).toEqual({
      code: 0,
      text: `Wrote ${out}.`,
    });
    expect(readFileSync(out, 'utf8')).toMatch(/^"recordId","at","kind",.*"erased"\r\n$/);
    expect(statSync(out).mode & 0o777).toBe(0o600);
    const words = ['record', 'export', 'care.example', '--from', '2026-11-01T00:00:00Z'];
    const { code, text } = await carillon([...words, '--kind', 'alarm']);
    expect({ code, text }).toEqual({ code: 0, text: readFileSync(out, 'utf8').trimEnd() });
    expect(await carillon([...words, '--format', 'jsonl'])).toEqual({ code: 0, text: '' });
    expect(await carillon([...words, '--kind', 'nothing'])).toMatchObject({
      code: exitCode.refused,
      text: expect.stringContaining('kind') as string,
    });
  });

  it('open, list and end maintenance windows', async () => {
    const open = (...words: string[]) => carillon(['maintenance', 'open', 'care.example', ...words]);
    expect(await open('north')).toMatchObject({ code: exitCode.wrongUse });
    expect(await open('north', '--reason', 'x', '--for', '2d')).toMatchObject({ code: exitCode.wrongUse });
    expect(await open('north', '--reason', 'x', '--from', 'soon')).toMatchObject({ code: exitCode.wrongUse });
    expect(await open('nowhere', '--reason', 'x')).toMatchObject({ code: exitCode.refused });
    const opened = await open('north', '--reason', 'new switch', '--for', '2h');
    expect(opened.text).toMatch(/^Maintenance of site north until \S+ \(window \w{26}\); alarms of devices/);
    const { windows } = (await json('maintenance', 'list', 'care.example')) as {
      windows: { windowId: string; startsAt: number; endsAt: number }[];
    };
    expect(windows).toMatchObject([{ siteId: 'north', state: 'open', reason: 'new switch' }]);
    const [window] = windows;
    expect((window?.endsAt ?? 0) - (window?.startsAt ?? 0)).toBe(7_200_000);
    const ended = await carillon(['maintenance', 'end', 'care.example', window?.windowId ?? '']);
    expect(ended.text).toMatch(/^Maintenance of site north has ended at /);
    expect(await json('maintenance', 'list', 'care.example')).toEqual({ success: true, windows: [] });
    expect(await json('maintenance', 'list', 'care.example', '--all')).toMatchObject({
      windows: [{ state: 'ended' }],
    });
    const later = await open('north', '--reason', 'x', '--from', new Date(Date.now() + 3.6e6).toISOString());
    expect(later.text).toMatch(/^Maintenance of site north from \S+ until /);
  });

  it('register, list and remove keys', async () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = file('public.pem', publicKey.export({ type: 'spki', format: 'pem' }).toString());
    expect((await carillon(['key', 'add', 'care.example', pem, '--kid', 'crm'])).text).toBe(
      'The key crm is registered.',
    );
    expect((await carillon(['key', 'list', 'care.example'])).text).toContain('crm  ES256');
    const next = (name: string) => {
      const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
      return file(name, key.export({ type: 'spki', format: 'pem' }).toString());
    };
    const rotated = await carillon([
      'key',
      'rotate',
      'care.example',
      'crm',
      next('next.pem'),
      '--new-kid',
      'crm-2',
    ]);
    expect(rotated.text).toMatch(/^The key crm-2 is registered; .* carillon key delete care\.example crm$/);
    expect(await json('key', 'list', 'care.example')).toMatchObject({
      apikeys: [{ kid: 'crm' }, { kid: 'crm-2', alg: 'ES256' }],
    });
    expect(
      await json(
        'key',
        'rotate',
        'care.example',
        'crm-2',
        next('third.pem'),
        '--new-kid',
        'crm-3',
        '--end-old',
      ),
    ).toEqual({ success: true, kid: 'crm-3', ended: true });
    expect(await carillon(['key', 'rotate', 'care.example', 'crm-2', next('more.pem')])).toMatchObject({
      code: exitCode.refused,
    });
    expect((await carillon(['key', 'list', 'care.example', '--csv'])).text).toMatch(
      /^"kid","alg","scope","name"\r\n"crm","ES256",/,
    );
    expect((await carillon(['key', 'delete', 'care.example', 'crm-3'])).code).toBe(exitCode.done);
    expect((await carillon(['key', 'delete', 'care.example', 'crm'])).code).toBe(exitCode.done);
    expect(await json('key', 'list', 'care.example')).toEqual({ success: true, apikeys: [] });
    expect(await carillon(['key', 'add', 'care.example', join(folder, 'gone.pem')])).toMatchObject({
      code: exitCode.missing,
    });
  });

  it('say who is not let in, and who does not answer', async () => {
    const stranger = await carillon(['tenant', 'list'], { CARILLON_TOKEN: 'nobody' });
    expect(stranger.code).toBe(exitCode.notPermitted);
    const unreachable = await carillon(['tenant', 'list', '--cloud', 'http://127.0.0.1:9', '--token', 'x']);
    expect(unreachable).toMatchObject({
      code: exitCode.tryAgain,
      text: expect.stringContaining('does not answer') as string,
    });
    // A token that is kept goes to its own cloud only.
    const other = await carillon(['tenant', 'list', '--cloud', 'http://127.0.0.1:9']);
    expect(other.code).toBe(exitCode.notPermitted);
  });

  it('each have an example that fits them, --json, and no colour', () => {
    const root = new Command('carillon');
    operatorCommands(root, { environment: {}, say: () => undefined });
    for (const { name, example, arguments: names } of [
      ...OPERATIONS_OF_OPERATOR,
      ...SUPERVISION_OPERATIONS,
    ]) {
      const command = name
        .split(' ')
        .reduce<Command | undefined>((at, word) => at?.commands.find((each) => each.name() === word), root);
      let help = '';
      command?.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
      expect(help).toContain(`Example:\n  ${example}`);
      expect(help).toContain('--json');
      expect(help).not.toContain('\u001b');
      expect(example.startsWith(`carillon ${name}`)).toBe(true);
      expect(example.split(' ').length).toBeGreaterThanOrEqual(1 + name.split(' ').length + names.length);
    }
  });
});

describe('resources of a tenant', () => {
  const RESOURCES = [
    ['receiver', { name: 'north', protocol: 'scaip', destinationMatch: '^north$' }],
    ['sender', { name: 'north', alarmHandling: 'callback' }],
    ['media', { name: 'north', destinationMatch: '^ivr$', callbackBaseUrl: 'https://app.example' }],
    ['recording', { name: 'north', destinationMatch: '^rec$', callbackBaseUrl: 'https://app.example' }],
  ] as const;

  it.each(RESOURCES)(
    '%s: created from a file, listed, changed in part, removed by its name',
    async (group, body) => {
      const words = ['--cloud', cloud.api, '--token', cloud.owner];
      await json('tenant', 'create', `${group}.example`, ...words);
      const domain = `${group}.example`;
      const extra = group === 'receiver' ? { callbackBaseUrl: 'https://app.example' } : {};
      const from = file(`${group}.json`, JSON.stringify({ ...body, ...extra }));
      const { id } = await json(group, 'create', domain, '--from', from, ...words);
      expect((await carillon([group, 'list', domain, ...words])).text).toContain(`${id}`);
      const change = file(`${group}-change.json`, JSON.stringify({ name: 'south' }));
      expect(await json(group, 'edit', domain, 'north', '--from', change, ...words)).toMatchObject({ id });
      // All other fields stay.
      expect(await json(group, 'show', domain, 'south', ...words)).toMatchObject({
        ...body,
        name: 'south',
        id,
      });
      const unknown = await carillon([group, 'show', domain, 'north', ...words]);
      expect(unknown).toMatchObject({ code: exitCode.refused });
      expect(unknown.text).toContain(`carillon ${group} list shows all`);
      expect((await carillon([group, 'remove', domain, 'south', ...words])).text).toBe('Removed south.');
      expect((await json(group, 'list', domain, ...words)).success).toBe(true);
    },
  );

  it('a file that is no JSON is named with its fault', async () => {
    const broken = file('broken.json', '{\n  "name": north\n}');
    const ran = await carillon(['receiver', 'create', 'x.example', '--from', broken, '--token', 't']);
    expect(ran).toMatchObject({ code: exitCode.damagedFile });
    expect(ran.text).toContain('a o stands where JSON has none');
  });
});
