import { describe } from 'vitest';
import { dialects } from './database.ts';
import { deviceTextSuite } from './device-text.suite.ts';
import { hostStatusSuite } from './host-status.suite.ts';
import { installationKeySuite } from './installation-key.suite.ts';
import { migrationSuite } from './migration.suite.ts';
import { paritySuite } from './parity.suite.ts';
import { repositorySuite } from './repository.suite.ts';
import { rotationSuite } from './rotation.suite.ts';
import { sealSuite } from './seal.suite.ts';
import { storeSuite } from './store.suite.ts';

// One file for every suite that runs on both databases: PGlite is started once.
describe.each(dialects)('%s', (dialect) => {
  migrationSuite(dialect);
  paritySuite(dialect);
  storeSuite(dialect);
  repositorySuite(dialect);
  sealSuite(dialect);
  rotationSuite(dialect);
  installationKeySuite(dialect);
  deviceTextSuite(dialect);
  hostStatusSuite(dialect);
});
