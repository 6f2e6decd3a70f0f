import { describe, expect, it } from 'vitest';
import { fileCircles, folderCircles } from './circle-rule.ts';
import { repositorySources } from './repository.ts';
import { source } from './source.ts';

const sources = repositorySources().filter(({ path }) => !path.startsWith('test/'));

/** Files in circles that are left. The list only shrinks: remove a line with the circle that it stands for. */
const FILES_LEFT: readonly string[] = [
  'cloud/console/page/device-form.tsx',
  'cloud/console/page/device.tsx',
  'cloud/console/page/drain.tsx',
  'cloud/console/page/fleet.tsx',
  'cloud/console/page/host-audit.tsx',
  'cloud/console/page/host-configuration.tsx',
  'cloud/console/page/host-diagnosis.tsx',
  'cloud/console/page/host-label.tsx',
  'cloud/console/page/host-life.tsx',
  'cloud/console/page/host-log.tsx',
  'cloud/console/page/host-outbox.tsx',
  'cloud/console/page/host-registration.tsx',
  'cloud/console/page/host-state.tsx',
  'cloud/console/page/host.tsx',
  'cloud/console/part/self-test.tsx',
  'cloud/http/api.ts',
  'cloud/http/call.ts',
  'cloud/http/gate.ts',
  'cloud/http/json-text.ts',
  'cloud/http/port.ts',
  'cloud/http/refusal.ts',
  'cloud/monitoring/mass-loss.ts',
  'cloud/monitoring/watch.ts',
  'cloud/privacy/own-copy.ts',
  'cloud/privacy/reason-row.ts',
  'cloud/privacy/refused-row.ts',
  'cloud/privacy/text-row.ts',
  'installer/command/operator/command.ts',
  'installer/command/operator/site-watch.ts',
  'installer/plan/network-plan.ts',
  'installer/plan/network-text.ts',
];
/** Folders in circles that are left. The list only shrinks. */
const FOLDERS_LEFT: readonly string[] = [
  'cloud/console',
  'cloud/console/page',
  'cloud/console/part',
  'cloud/http',
  'cloud/http/authorize',
  'cloud/http/edge',
  'cloud/http/middleware',
  'cloud/http/platform',
  'cloud/http/provisioning',
  'cloud/http/runtime',
  'cloud/http/session',
  'cloud/http/setup',
  'cloud/http/site',
  'cloud/store',
  'cloud/store/sql',
  'installer/command',
  'installer/command/technician',
];

describe('imports of the programs run in no circle', () => {
  it.each([
    ['files', fileCircles(sources), FILES_LEFT],
    ['folders', folderCircles(sources), FOLDERS_LEFT],
  ])('between %s, type imports included', (_, circles, left) => {
    expect(circles.filter((circle) => circle.some((each) => !left.includes(each)))).toEqual([]);
    expect(left.filter((each) => !circles.flat().includes(each))).toEqual([]);
  });
});

describe('a circle is seen', () => {
  const three = [
    source('appliance/sip/a.ts', `import type { B } from '../media/b.ts';`),
    source('appliance/media/b.ts', `import { c } from '../call/c.ts';`),
    source('appliance/call/c.ts', `export type { A } from '../sip/a.ts';`),
    source('appliance/call/d.ts', `import './c.ts';`),
  ];

  it('over three files and three folders', () => {
    expect(fileCircles(three)).toEqual([
      ['appliance/call/c.ts', 'appliance/media/b.ts', 'appliance/sip/a.ts'],
    ]);
    expect(folderCircles(three)).toEqual([['appliance/call', 'appliance/media', 'appliance/sip']]);
  });

  it('and not where the way ends', () => {
    expect(fileCircles(three.slice(0, 2))).toEqual([]);
    expect(folderCircles(three.slice(1))).toEqual([]);
  });
});
