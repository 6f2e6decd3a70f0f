import { expect, it } from 'vitest';
import { refuseFlagsOfNpm } from '#installer/command/shell/npm-flag.ts';

const FLAGS = ['callback', 'port-offset'];

it.each([
  [{ npm_lifecycle_event: 'start', npm_config_callback: 'true' }, 'Write npm start -- --callback …'],
  [{ npm_lifecycle_event: 'demo', npm_config_port_offset: '5' }, 'Write npm run demo -- --port-offset …'],
])('a flag that npm has kept is named, with the line to write: %j', (environment, line) => {
  expect(() => refuseFlagsOfNpm(FLAGS, environment)).toThrow(line);
});

it.each([
  {},
  { npm_lifecycle_event: 'start', npm_config_cache: '/tmp' },
  { npm_config_callback: 'a setting of another program' },
])('nothing else is refused: %j', (environment) => {
  expect(() => refuseFlagsOfNpm(FLAGS, environment)).not.toThrow();
});
