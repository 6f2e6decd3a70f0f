import type { Row } from './import-row.ts';
import { APPLIANCE_ROWS } from './import-table-appliance.ts';
import { CLOUD_ROWS } from './import-table-cloud.ts';

export const IMPORT_TABLE: readonly Row[] = [
  // What two programs agree on
  {
    folders: ['shared'],
    packages: ['zod', 'aws4fetch'],
    reason:
      'what two programs agree on is read by both and must drag nothing into either: schemas, signatures',
  },
  {
    folders: ['shared/matching'],
    may: ['shared'],
    packages: ['zod', 're2js', 'ipaddr.js'],
    reason: 'patterns come from users: they are matched in linear time, by the same engine on both sides',
  },

  ...APPLIANCE_ROWS,
  ...CLOUD_ROWS,

  // The front door
  {
    folders: ['installer'],
    may: ['shared', 'package.json'],
    packages: ['commander', 'qrcode-generator', 'smol-toml', '@peculiar/x509', 'reflect-metadata'],
    rim: true,
    reason: 'commands for a person at a terminal; the programs are handed to them',
  },
  {
    folders: ['installer/program.ts'],
    may: ['installer', 'shared'],
    typesOf: ['appliance/simulator'],
    reason: 'what the programs take and give, in their own words: no command loads them for that',
  },
  {
    folders: ['installer/build'],
    may: [
      'installer/io/engine-flag.ts',
      'installer/io/release-file.ts',
      'installer/exit-code.ts',
      'installer/release',
    ],
    packages: ['esbuild', 'oxc-parser', 'postject', 'commander'],
    rim: true,
    reason: 'makes the packages: runs where the project is built, and never where it is installed',
  },
  {
    folders: ['installer/carillon.ts'],
    may: ['installer', 'shared', 'appliance', 'cloud'],
    packages: ['commander'],
    rim: true,
    reason: 'the front door: the only file that may import all programs',
  },

  // Tests
  {
    folders: ['test'],
    may: ['test', 'shared', 'appliance', 'cloud', 'installer'],
    packages: ['*'],
    rim: true,
    reason: 'a test may hold both ends of a wire; no source imports a test, because no row above says so',
  },
];
