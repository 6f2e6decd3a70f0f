import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOST_OPERATIONS } from '#installer/command/operator/host-table.ts';
import { operatorCommands } from '#installer/command/operator/index.ts';
import { exitCode, Stop } from '#installer/exit-code.ts';
import { createMachine } from '../../cloud/io/machine.ts';
import { openWholeCloud, type WholeCloud } from '../../cloud/whole-cloud.ts';

let cloud: WholeCloud;
beforeAll(async () => {
  cloud = await openWholeCloud();
  await carillon('tenant', 'create', 'care.example');
  await carillon('site', 'create', 'care.example', '--site-id', 'north');
});
afterAll(() => cloud.close());

/** The command as the root command runs it; `text` is what it says, or the sentence it ends with. */
async function carillon(...words: string[]): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  const root = new Command('carillon').exitOverride();
  const environment = { CARILLON_CLOUD: cloud.api, CARILLON_TOKEN: cloud.owner };
  operatorCommands(root, { environment, say: (line) => lines.push(line) });
  try {
    await root.parseAsync(words, { from: 'user' });
    return { code: exitCode.done, text: lines.join('\n') };
  } catch (cause) {
    if (cause instanceof Stop) return { code: cause.code, text: cause.message };
    throw cause;
  }
}

const HOST = ['care.example', 'north', 'gw-1'];

async function machine(autoCommission: boolean): Promise<void> {
  const headers = { authorization: `Bearer ${cloud.owner}`, 'content-type': 'application/json' };
  const claim = await fetch(`${cloud.api}/site/care.example/north/claim`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ autoCommission }),
  });
  const { claimCode } = (await claim.json()) as { claimCode: string };
  const { csr, sealKey } = await createMachine({ addresses: ['127.0.0.1'] });
  const joined = await fetch(`${cloud.api}/edge/v1/claim`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ claimCode, hostId: 'gw-1', csr, sealKey, version: '1.0.0' }),
  });
  expect(joined.status).toBe(200);
}

describe('the commands for hosts', () => {
  it('name what is not there', async () => {
    for (const verb of ['commission', 'drain', 'undrain', 'decommission', 'show', 'logs', 'diag'])
      expect(await carillon('host', verb, ...HOST)).toEqual({
        code: exitCode.refused,
        text: 'The host gw-1 does not exist in site north. Check both ids.',
      });
  });

  it('walk a machine through its life', async () => {
    await machine(false);
    expect((await carillon('host', 'drain', ...HOST)).text).toBe(
      'The request is refused: the host is not in service yet. Commission it, or decommission it.',
    );
    const commission = await carillon(
      'host',
      'commission',
      ...HOST,
      '--addresses',
      '10.0.0.5',
      '--prefix',
      '24',
    );
    expect(commission.text).toMatch(/^commission of gw-1: pending at checks \(operation [0-9a-z]{26}\)$/);
    expect(JSON.parse((await carillon('host', 'show', ...HOST, '--json')).text)).toMatchObject({
      hostId: 'gw-1',
      status: 'commissioning',
      lifecycle: 'commissioning',
      connectivity: 'never',
      network: { networkInterfaces: ['10.0.0.5'], networkPrefixLength: 24 },
      conditions: { CertValid: { status: true } },
    });
    expect((await carillon('host', 'label', ...HOST)).text).toBe('gw-1 has no labels.');
    expect((await carillon('host', 'label', ...HOST, '--set', 'room=a, svc=media')).text).toBe(
      'gw-1: room=a, svc=media',
    );
    const label = await carillon('host', 'label', ...HOST, '--add', 'room=b', '--remove', 'room=a', '--json');
    expect(JSON.parse(label.text)).toEqual({ success: true, labels: ['svc=media', 'room=b'] });
    expect((await carillon('host', 'label', ...HOST)).text).toBe('gw-1: svc=media, room=b');
    expect((await carillon('host', 'label', ...HOST, '--add', 'role=leader')).code).toBe(exitCode.refused);
    expect(await carillon('host', 'rpc', ...HOST, 'ping')).toMatchObject({
      code: exitCode.tryAgain,
      text: 'gw-1: The request did not reach the host: it has no management connection. Check its uplink.',
    });
    expect(await carillon('host', 'rpc', ...HOST, 'ping', '--args', '{')).toMatchObject({
      code: exitCode.wrongUse,
    });
    expect((await carillon('host', 'rpc', ...HOST, 'reboot')).code).toBe(exitCode.refused);
    expect((await carillon('config', 'status', ...HOST)).text).toMatch(
      /^scope +wanted +applied +refused +path +why\n/,
    );
    expect((await carillon('config', 'diff', ...HOST)).text).toContain('put');
    expect((await carillon('site', 'watch', 'care.example', '--once')).text).toMatch(
      /north\/gw-1 {2}commissioning$/,
    );
    expect((await carillon('host', 'decommission', ...HOST, '--wait')).text).toMatch(
      /^decommission of gw-1: done /,
    );
    expect((await carillon('host', 'list', 'care.example')).text).not.toContain('gw-1');
  });

  it('each have an example that fits them', async () => {
    for (const { name, example } of HOST_OPERATIONS)
      expect(example.startsWith(`carillon ${name} `)).toBe(true);
  });
});
