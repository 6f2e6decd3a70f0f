import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, CommanderError } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explain } from '#appliance/explain/index.ts';
import { hearFile } from '#appliance/media/dtmf/index.ts';
import {
  openPhone,
  openRecordingClient,
  simulateDc09,
  simulateLacs,
  simulateNowIp,
  simulateScaip,
  simulateTone,
} from '#appliance/simulator/index.ts';
import { everyCommand, nameOf, rootCommand } from '#installer/command/root.ts';
import { exitCode, Stop } from '#installer/exit-code.ts';
import type { Programs } from '#installer/program.ts';

/* Every command that a person may type wrongly answers in words: no name of an error of Node or of the system, no stack. */

const RAW =
  /\bE[A-Z]{4,}\b|ERR_|UND_ERR|TypeError|SyntaxError|RangeError|AggregateError|fetch failed|\n\s+at |\bundefined\b|\[object |Unexpected token|Unexpected end/;
/** No program listens there. */
const NOWHERE = 'http://127.0.0.1:9';
/** They change this machine or keep running: they are started with a wrong flag only. */
const KEPT_OUT =
  /^carillon (?:demo|cloud|appliance|install|uninstall|upgrade|enrol|configure|network|preflight|selftest|status|support-bundle|test-alarm|override|outbox|config|db|broker|bundle|mcp|version|completion|leave|drain|rejoin|maintenance$|release|capture|time|access|swap|record follow|site watch|simulate swarm|simulate arc|simulate siprec server)/;

const programs = {
  ...{
    openPhone,
    openRecordingClient,
    simulateDc09,
    simulateLacs,
    simulateNowIp,
    simulateScaip,
    simulateTone,
  },
  explain: async (kind, content, { key, protocol, profile }) =>
    explain(kind, content, { key, protocol, profile, aes: () => new Uint8Array() } as never),
  hearTones: async (wav, profile) => hearFile(wav, profile),
  rehearsal: async () => {
    const { openRehearsal, openTlsFront, rehearsalPage, SITUATIONS } = await import(
      '#appliance/rehearsal/index.ts'
    );
    return { situations: SITUATIONS, page: rehearsalPage, open: openRehearsal, front: openTlsFront };
  },
  backup: async () => (await import('#cloud/cli/index.ts')).backupCommands,
  verifyAudit: async (run) => (await import('#cloud/cli/index.ts')).verifyAudit(run),
} as Partial<Programs> as Programs;

let folder: string;
const environment = () => ({ XDG_CONFIG_HOME: folder, HOME: folder });
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-bad-input-'));
  writeFileSync(join(folder, 'broken.json'), '{"name": ');
});
afterAll(() => rmSync(folder, { recursive: true }));

const leaves = [...everyCommand(await rootCommand(programs, {}))]
  .filter(({ commands }) => commands.length === 0)
  .map(nameOf);
const tried = leaves.filter((name) => !KEPT_OUT.test(name));

/** The words of a command with every argument, its options of files, and a control plane that is away. */
function wordsOf(command: Command, file: string): string[] {
  const words = nameOf(command).split(' ').slice(1);
  for (const { _name, argChoices, required } of command.registeredArguments as unknown as {
    _name: string;
    argChoices?: readonly string[];
    required: boolean;
  }[])
    if (required || _name === 'file') words.push(_name === 'file' ? file : (argChoices?.[0] ?? 'x'));
  for (const { long, flags } of command.options) {
    if (/<file>|<folder>/.test(flags) && long !== null && long !== undefined) words.push(long, file);
    if (long === '--cloud') words.push(long, NOWHERE);
    if (long === '--token') words.push(long, 't');
    if (long === '--to') words.push(long, '127.0.0.1:9');
    if (long === '--talk') words.push(long, '0');
    // Over UDP a closed port is silent: a device waits for half a minute.
    if (long === '--transport') words.push(long, 'tcp');
  }
  return words;
}

async function sentenceOf(name: string, file: string): Promise<string> {
  const root = await rootCommand(programs, environment());
  const command = [...everyCommand(root)].find((each) => nameOf(each) === name);
  if (command === undefined) throw new Error(name);
  root.configureOutput({ writeErr: () => undefined });
  for (const each of everyCommand(root)) each.configureOutput({ writeErr: () => undefined });
  try {
    await root.parseAsync(wordsOf(command, file), { from: 'user' });
    return '';
  } catch (cause) {
    if (cause instanceof Stop || cause instanceof CommanderError) return cause.message;
    throw cause;
  }
}

describe('a command of a person who errs', () => {
  it('is tried for most of them', () => {
    expect(tried.length).toBeGreaterThan(70);
  });

  it.each(tried)(
    '%s: a folder in the place of a file, and no server at the other end',
    async (name) => {
      expect(await sentenceOf(name, folder)).not.toMatch(RAW);
    },
    60_000,
  );

  it.each(tried.filter((name) => /put|create|edit|add|explain|patch|from|tones|import/.test(name)))(
    '%s: a file that is cut off',
    async (name) => {
      expect(await sentenceOf(name, join(folder, 'broken.json'))).not.toMatch(RAW);
    },
    60_000,
  );

  it.each(leaves)('%s: an unknown flag', async (name) => {
    const root = await rootCommand(programs, environment());
    for (const each of [root, ...everyCommand(root)]) each.configureOutput({ writeErr: () => undefined });
    const words = [...name.split(' ').slice(1), '--no-such-flag'];
    const cause = await root.parseAsync(words, { from: 'user' }).catch((thrown: unknown) => thrown);
    expect(cause).toBeInstanceOf(CommanderError);
    expect((cause as CommanderError).message).not.toMatch(RAW);
    expect(exitCode.wrongUse).toBe(64);
  });
});
