import { Command } from 'commander';
import { expect, it } from 'vitest';
import { operatorCommands } from '#installer/command/operator/index.ts';
import { trialText } from '#installer/command/operator/resource/trial-table.ts';
import { exitCode, Stop } from '#installer/exit-code.ts';
import { openWholeCloud } from '../../cloud/whole-cloud.ts';

async function carillon(words: readonly string[]) {
  const lines: string[] = [];
  const root = new Command('carillon').exitOverride();
  operatorCommands(root, {
    environment: { XDG_CONFIG_HOME: '/nowhere' },
    say: (line) => lines.push(line),
  });
  try {
    await root.parseAsync(words, { from: 'user' });
    return { code: exitCode.done as number, text: lines.join('\n') };
  } catch (cause) {
    if (cause instanceof Stop) return { code: cause.code as number, text: cause.message };
    throw cause;
  }
}

it('a draft is tried by the command line, over a control plane that runs', async () => {
  const cloud = await openWholeCloud();
  try {
    const send = (path: string, body: object) =>
      fetch(`${cloud.api}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${cloud.owner}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    await send('/platform/tenant', { domain: 'try.example' });
    const command = ['receiver', 'try', 'try.example', '--cloud', cloud.api, '--token', cloud.owner];
    expect(await carillon(command)).toMatchObject({
      code: exitCode.refused,
      text: expect.stringContaining('Store a draft first.'),
    });
    const draft = { protocol: 'scaip', name: 'Day', destinationMatch: '^day$' };
    const made = await send('/provisioning/alarmbridge/try.example?provisory=true', draft);
    const { id } = (await made.json()) as { id: string };
    expect(await carillon([...command, id, '--days', '3'])).toEqual({
      code: exitCode.done,
      text: '0 of 0 alarms would have taken another way or got another callback.',
    });
    expect((await carillon([...command, '--days', '32'])).code).toBe(exitCode.wrongUse);
    expect((await carillon([...command, 'nobody'])).code).toBe(exitCode.refused);
  } finally {
    await cloud.close();
  }
});

it('each difference is a line, and so is each host that is missing', () => {
  const day = { name: 'Day' };
  const examples = [{ traceId: 't1' }];
  expect(
    trialText({
      ...{ tried: 9, others: 1, cut: true },
      differences: [
        { effect: 'refused', before: day, fields: [], alarms: 1, examples },
        { effect: 'changed', before: day, after: day, fields: ['path'], alarms: 2, examples: [] },
      ],
      missingHosts: [{ siteId: 'north', hostId: 'h1', reason: 'it is off' }],
      olderHosts: [{ siteId: 'north', hostId: 'h2' }],
    }).split('\n'),
  ).toEqual([
    '4 of 9 alarms would have taken another way or got another callback.',
    '1 alarm would have been refused, and not taken by Day. For example t1.',
    '2 alarms would have got another callback from Day (path).',
    'Other differences: 1 alarm.',
    'A host has more alarms than one trial looks at; the newest were tried.',
    'north/h1 gave no answer, and its alarms are not counted: it is off',
    'north/h2 cannot try a draft, and its alarms are not counted: upgrade it.',
  ]);
});
