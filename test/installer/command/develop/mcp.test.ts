import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveTools } from '#installer/command/develop/mcp/server.ts';
import { EXPLAINED } from '#installer/program.ts';
import { openWholeCloud, type WholeCloud } from '../../../cloud/whole-cloud.ts';

/* The server as an assistant meets it: started as a program, and spoken to by the client of the protocol's own SDK. */

const ROOT = join(import.meta.dirname, '../../../..');
const DOMAIN = 'care.example';
let cloud: WholeCloud;
let client: Client;

async function connected(...words: string[]): Promise<Client> {
  const assistant = new Client({ name: 'test', version: '1' });
  const args = [join(ROOT, 'installer/bin.ts'), 'mcp', ...words];
  await assistant.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'inherit' }));
  return assistant;
}

beforeAll(async () => {
  cloud = await openWholeCloud();
  const answer = await fetch(`${cloud.api}/platform/tenant`, {
    method: 'POST',
    headers: { authorization: `Bearer ${cloud.owner}`, 'content-type': 'application/json' },
    body: JSON.stringify({ domain: DOMAIN, name: 'Care' }),
  });
  expect(answer.status).toBe(200);
  client = await connected('--cloud', cloud.api, '--token', cloud.owner);
}, 60_000);
afterAll(async () => {
  await client.close();
  await cloud.close();
});

async function tool(name: string, given: Record<string, unknown>) {
  const { content, isError } = await client.callTool({ name, arguments: given });
  return { text: (content as { text: string }[]).map(({ text }) => text).join(), isError: isError === true };
}

describe('carillon mcp', () => {
  it('lists tools that only read, and simulates nothing unless it is allowed to', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...['search_documentation', 'read_documentation', 'explain_frame'],
      ...['list_records', 'show_record', 'explain_trace', 'check_configuration'],
    ]);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    await expect(tool('simulate_alarm', {})).rejects.toThrow('There is no tool');
    const allowed = await connected('--allow-simulate');
    const acts = (await allowed.listTools()).tools.filter(
      ({ annotations }) => annotations?.readOnlyHint !== true,
    );
    expect(acts.map(({ name }) => name)).toEqual(['simulate_alarm']);
    await allowed.close();
  }, 30_000);

  it('finds a rule in the documentation, and reads its document', async () => {
    const found = await tool('search_documentation', { query: 'bodySha256 raw body' });
    expect(found.text).toContain('(sdk/README.md)');
    expect((await tool('read_documentation', { document: 'sdk/README.md' })).text).toContain(
      '# SDKs and verifiers',
    );
    for (const document of ['../package.json', 'package.json', '/etc/passwd', 'docs/nothing.md'])
      expect(await tool('read_documentation', { document })).toMatchObject({
        isError: true,
        text: expect.stringContaining('There is no document'),
      });
  });

  it('takes a frame apart', async () => {
    const content = readFileSync(join(ROOT, 'examples/sample/scaip-alarm.xml'), 'utf8');
    const { text } = await tool('explain_frame', { kind: 'scaip', content });
    expect(JSON.parse(text)).toMatchObject({ protocol: 'scaip', alarmEvent: { controllerId: 'unit-17' } });
    expect(await tool('explain_frame', { kind: 'dc09', content: 'no frame' })).toMatchObject({
      isError: true,
    });
    const { tools } = await client.listTools();
    const explain = tools.find(({ name }) => name === 'explain_frame');
    expect(explain?.inputSchema.properties?.kind).toMatchObject({ enum: EXPLAINED });
  });

  it('judges a configuration without storing it', async () => {
    const body = {
      protocol: 'scaip',
      name: 'Alarms',
      destinationMatch: '^scaip$',
      callbackBaseUrl: 'https://app.example',
    };
    const good = await tool('check_configuration', { domain: DOMAIN, kind: 'receiver', body });
    expect(good).toMatchObject({ isError: false, text: expect.stringContaining('"success": true') });
    const bad = await tool('check_configuration', {
      ...{ domain: DOMAIN, kind: 'receiver' },
      body: { ...body, callbackBaseUrl: 'http://app.example' },
    });
    expect(bad).toMatchObject({ isError: true, text: expect.stringMatching(/https/) });
    const answer = await fetch(`${cloud.api}/provisioning/alarmbridge/${DOMAIN}`, {
      headers: { authorization: `Bearer ${cloud.owner}` },
    });
    expect(((await answer.json()) as { alarmbridges: unknown[] }).alarmbridges).toEqual([]);
  });

  it('reads records with the rights of the token', async () => {
    expect(JSON.parse((await tool('list_records', { domain: DOMAIN })).text)).toMatchObject({ records: [] });
    expect(await tool('list_records', { domain: 'another.example' })).toMatchObject({ isError: true });
    expect(await tool('explain_trace', { domain: DOMAIN, traceId: 'none' })).toMatchObject({ isError: true });
  });

  it.each([
    ['list_records', {}, 'list_records needs domain, a text.'],
    ['list_records', { domain: 7 }, 'list_records needs domain, a text.'],
    ['list_records', { domain: DOMAIN, colour: 'red' }, 'list_records takes no colour.'],
    ['explain_frame', { kind: 'morse', content: '' }, 'kind is scaip, nowip'],
    ['check_configuration', { domain: DOMAIN, kind: 'receiver', body: [] }, 'needs body, a JSON object.'],
  ])('%s %j is refused in words', async (name, given, sentence) => {
    await expect(tool(name, given)).rejects.toThrow(sentence);
  });
});

describe('the protocol', () => {
  const answersTo = async (...lines: string[]): Promise<unknown[]> => {
    const answers: unknown[] = [];
    await serveTools([], '0.0.0', Readable.from(lines.map((line) => `${line}\n`)), (line) =>
      answers.push(JSON.parse(line)),
    );
    return answers;
  };

  it('answers what is no request with an error, and goes on', async () => {
    const answers = await answersTo(
      '{',
      '[]',
      '7',
      '{"jsonrpc":"2.0","id":1,"method":"resources/list"}',
      '{"jsonrpc":"2.0","id":2,"method":"ping"}',
    );
    expect(answers).toMatchObject([
      { id: null, error: { code: -32_700 } },
      { id: null, error: { code: -32_600 } },
      { id: null, error: { code: -32_600 } },
      { id: 1, error: { code: -32_601 } },
      { id: 2, result: {} },
    ]);
  });

  it('gives a notification no answer, and a client of an unknown version its own newest', async () => {
    const [first, ...others] = await answersTo(
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      '{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"1999-01-01"}}',
    );
    expect(first).toMatchObject({ id: 'a', result: { protocolVersion: '2025-11-25' } });
    expect(others).toEqual([]);
  });

  it('ends when its input ends, with the answers of tools that were still at work', async () => {
    const done = Promise.withResolvers<string>();
    const slow = { name: 'slow', description: '', input: {}, run: () => done.promise };
    const answers: string[] = [];
    const input = new PassThrough();
    const served = serveTools([slow], '0', input, (line) => answers.push(line));
    input.end('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}\n');
    done.resolve('at last');
    await served;
    expect(answers).toEqual([expect.stringContaining('at last')]);
  });
});
