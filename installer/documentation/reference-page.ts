import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { flagOf, settingTable } from '#shared/setting/index.ts';
import { everyCommand, nameOf } from '../command/root.ts';
import { exitCode } from '../exit-code.ts';
import { code, fenced, joined, type Page, plain, table } from './page.ts';

/** Every command with its description, arguments, options and examples, as `--help` says them. */
export function commandPage(root: Command): Page {
  const all = [...everyCommand(root)].filter(({ commands }) => commands.length === 0);
  return {
    address: 'reference/cli',
    title: 'Command line',
    summary: `The ${all.length} commands of the program \`carillon\`.`,
    body: joined(
      'In a checkout a command is typed as `npx carillon …`, on a host as `carillon …`. Each command says with `--help` what it takes. Words with Tab come from `carillon completion bash`, `zsh` or `fish`.',
      table(
        ['Command', 'Does'],
        all.map((each) => [code(nameOf(each)), plain(each.summary() || each.description())]),
      ),
      ...all.map(commandText),
    ),
  };
}

function commandText(command: Command): string {
  const help = command.createHelp();
  const options = help.visibleOptions(command).filter(({ long }) => long !== '--help');
  return joined(
    `## ${nameOf(command)}`,
    plain(command.description() || command.summary()),
    fenced('text', help.commandUsage(command)),
    table(
      ['Argument', 'Meaning'],
      help
        .visibleArguments(command)
        .map((each) => [code(each.name()), plain(help.argumentDescription(each))]),
    ),
    table(
      ['Option', 'Meaning'],
      options.map((each) => [code(each.flags), plain(help.optionDescription(each))]),
    ),
  );
}

/** Every setting of both daemons, as `carillon config show` names them. */
export const settingPage = (): Page => ({
  address: 'reference/settings',
  title: 'Settings',
  summary: 'The settings of the control plane and of a host: environment, file, flag, default.',
  body: joined(
    'A setting is a variable of the environment, a key of the configuration file (`CARILLON_CONFIG`, TOML) or a flag. The flag comes before the environment, and the environment before the file. A setting that a program does not know stops its start with exit code 78. `carillon config show` prints every value and its origin; values of secret settings are masked.',
    table(
      ['Environment, flag', 'Program', 'Default', 'Meaning'],
      Object.values(settingTable).map((setting) => [
        `${code(setting.env)} ${code(`--${flagOf(setting)}`)}`,
        setting.programs.join(', '),
        code(setting.fallback ?? ''),
        `${plain(setting.meaning)}${setting.secret ? ' (secret)' : ''}`,
      ]),
    ),
  ),
});

const EXIT_TEXT: Readonly<Record<keyof typeof exitCode, readonly [meaning: string, remedy: string]>> = {
  done: ['The command did what it was asked.', ''],
  unexpected: ['A defect, or a failure without a code of its own.', 'Make a support bundle and report it.'],
  selfTestFailed: ['A check of the self-test was not passed.', 'Read its line: it says what to do.'],
  rolledBack: [
    'An upgrade did not come into service and was taken back.',
    'Read the reason and the log of the new release.',
  ],
  wrongUse: ['A word or an option of the command is wrong.', 'Read `--help` of the command.'],
  damagedFile: [
    'A file cannot be read as what it should be.',
    'Get the file again, or look at the place that is named.',
  ],
  missing: ['Something that the command needs is not here.', 'Install or start what is named.'],
  disk: ['The disk is full or refuses.', 'Make room; look at `dmesg`.'],
  tryAgain: ['The network or a busy part was in the way.', 'Try again; the sentence names the address.'],
  refused: ['The control plane has refused.', 'Read the reason: rights, a used claim, a wrong state.'],
  notPermitted: ['The user of this machine may not do that.', 'Use sudo, or the user of the service.'],
  wrongConfiguration: ['A setting is wrong.', 'Correct the setting that is named.'],
};

export const exitPage = (): Page => ({
  address: 'reference/exit-codes',
  title: 'Exit codes',
  summary: 'The numbers with which a command ends, for scripts.',
  body: joined(
    'The numbers never change, and follow sysexits(3) where one fits. A command that fails prints one sentence about the cause and the remedy.',
    table(
      ['Code', 'Name', 'Meaning', 'Remedy'],
      Object.entries(exitCode).map(([name, number]) => [
        String(number),
        code(name),
        ...EXIT_TEXT[name as keyof typeof exitCode],
      ]),
    ),
  ),
});

/** The document that `npm run docs:log` keeps. */
export function logPage(root: string): Page {
  const text = readFileSync(join(root, 'docs', 'logging.md'), 'utf8');
  return {
    address: 'reference/log',
    title: 'Log',
    summary: 'Every event of the log, its level, and the next step after it.',
    body: text.replace(/^# .*\n/, '').trim(),
  };
}
