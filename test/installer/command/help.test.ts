import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { daemonRoot } from '#installer/command/daemon.ts';
import { commandList, everyCommand, nameOf, rootCommand } from '#installer/command/root.ts';
import { DAEMONS, type Programs } from '#installer/program.ts';

const root = await rootCommand({} as Programs, {});
const isHidden = (command: Command): boolean =>
  (command as unknown as { readonly _hidden: boolean })._hidden ||
  (command.parent !== null && isHidden(command.parent));
const all = [...everyCommand(root)].filter((command) => !isHidden(command));
const leaves = all.filter(({ commands }) => commands.length === 0);

function helpOf(command: Command): string {
  let said = '';
  command.configureOutput({
    writeOut: (text) => {
      said += text;
    },
    getOutHelpWidth: () => 200,
  });
  command.outputHelp();
  return said;
}

describe('the help of', () => {
  test('the root command names every command, by who uses it', () => {
    const help = helpOf(root);
    for (const { name } of root.commands
      .filter((each) => !isHidden(each))
      .map((each) => ({ name: each.name() })))
      expect(help).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
    expect(help).toContain('On a machine of a site:');
    expect(help).toContain('64 wrong use');
  });

  test.each(all.map((command) => [nameOf(command), command] as const))(
    '%s says in a line what it does',
    (_, command) => {
      expect(command.summary() || command.description()).not.toBe('');
    },
  );

  test.each([...DAEMONS].map((name) => [name]))('%s is the same where no other command is loaded', (name) => {
    const alone = daemonRoot({} as Programs);
    const [daemon, same] = [alone, root].map((command) =>
      command.commands.find((each) => each.name() === name),
    );
    expect(daemon && helpOf(daemon)).toBe(same && helpOf(same));
    expect(alone.commands).toHaveLength(DAEMONS.size);
  });

  const others = root.commands.filter((each) => !DAEMONS.has(each.name()) && each.name() !== 'completion');
  test.each(others.map((command) => [command.name(), command] as const))(
    '%s is the same, down to its last command, where no other module is loaded',
    async (name, whole) => {
      const alone = (await rootCommand({} as Programs, {}, name)).commands.find(
        (each) => each.name() === name,
      );
      const helps = (command: Command | undefined): string[] =>
        command === undefined ? [] : [command, ...everyCommand(command)].map(helpOf);
      expect(helps(alone)).toEqual(helps(whole));
    },
  );

  test('the root command is the same where no command is loaded; `npm run docs:commands` writes its list', () => {
    expect(helpOf(commandList())).toBe(helpOf(root));
  });

  test('a word that is no command is looked for among all of them', async () => {
    for (const word of ['instal', '--help', 'constructor', ''])
      expect((await rootCommand({} as Programs, {}, word)).commands).toHaveLength(root.commands.length);
    expect((await rootCommand({} as Programs, {}, '--version')).commands).toEqual([]);
  });

  test.each(leaves.map((command) => [nameOf(command), command] as const))(
    '%s has an example that names it',
    (name, command) => {
      const [, example = ''] = helpOf(command).split(/Examples?:\n/);
      expect(example).toContain(name);
    },
  );
});
