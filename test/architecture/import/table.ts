import type { Row } from './row.ts';
import { APPLIANCE_ROWS } from './table-appliance.ts';
import { CLOUD_ROWS } from './table-cloud.ts';

export const IMPORT_TABLE: readonly Row[] = [
  // Contracts between two programs
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
  {
    folders: ['shared/timer'],
    edge: true,
    reason: 'the looks of both programs share their moments; an engine has no timer of the system',
  },

  ...APPLIANCE_ROWS,
  ...CLOUD_ROWS,

  // Rehearsals of the applications of customers
  {
    folders: ['appliance/rehearsal'],
    may: [],
    reason: 'the public interface of the rehearsal, and its table of situations: both construct nothing',
  },
  {
    folders: ['appliance/rehearsal/exchange'],
    may: ['shared', 'appliance/alarm/protocol/scaip', 'appliance/delivery', 'appliance/rehearsal/situation'],
    reason: 'a situation is data; its callbacks are composed, and their answers read, as the engines do it',
  },
  {
    folders: ['appliance/rehearsal/io'],
    may: [
      'shared',
      'appliance/delivery',
      'appliance/io/http',
      'appliance/io/sqlite',
      'appliance/kernel',
      'appliance/rehearsal/exchange',
      'appliance/rehearsal/situation',
      'appliance/replica',
    ],
    edge: true,
    reason:
      'a rehearsal is a program of its own: it has sockets, a clock and keys, and joins delivery to them',
  },

  // The command line
  {
    folders: ['installer'],
    may: ['shared', 'package.json'],
    packages: ['commander', 'qrcode-generator', 'smol-toml', '@peculiar/x509', 'reflect-metadata'],
    edge: true,
    reason: 'commands for a person at a terminal; the programs are handed to them',
  },
  {
    folders: ['installer/plan'],
    may: ['shared', 'installer/preflight'],
    edge: true,
    reason: 'a plan is data: installer/io carries it out',
  },
  {
    folders: ['installer/plan/action'],
    may: ['shared'],
    edge: true,
    reason: 'the vocabulary of all plans knows none of them',
  },
  {
    folders: ['installer/plan/network', 'installer/plan/time'],
    may: ['shared', 'installer/preflight', 'installer/plan/action'],
    edge: true,
    reason: 'one concern each, written in actions',
  },
  {
    folders: ['installer/plan/install'],
    may: ['shared', 'installer/plan'],
    edge: true,
    reason: 'the plans of a whole host contain those of network and time',
  },
  {
    folders: ['installer/io/host', 'installer/io/file', 'installer/io/terminal'],
    may: [
      'shared',
      'installer/exit-code.ts',
      'installer/technician-program.ts',
      'installer/plan',
      'installer/preflight',
    ],
    packages: ['smol-toml', 'qrcode-generator'],
    edge: true,
    reason: 'the edge of the installer calls no command',
  },
  {
    folders: ['installer/io/network'],
    may: ['shared', 'installer/plan', 'installer/io/host'],
    edge: true,
    reason: 'network facts come from programs of the host',
  },
  {
    folders: ['installer/command/option'],
    may: ['shared', 'installer/io/file'],
    packages: ['commander'],
    edge: true,
    reason: 'every command parses its flags by these functions',
  },
  {
    folders: ['installer/program.ts'],
    may: ['installer', 'shared'],
    typesOf: ['appliance/simulator', 'appliance/rehearsal'],
    reason: 'what the programs take and give, in their own words: no command loads them for that',
  },
  {
    folders: ['installer/build'],
    may: [
      'installer/io/engine-flag.ts',
      'installer/io/release-file.ts',
      'installer/exit-code.ts',
      'installer/release',
      // JSON Schemas for the forms of the console.
      'shared/contract',
    ],
    packages: [
      'esbuild',
      'oxc-parser',
      'postject',
      'commander',
      // Bundles the console.
      'vite',
      'zod',
      '@babel/core',
      '@lingui/babel-plugin-lingui-macro',
      '@lingui/conf',
      '@lingui/vite-plugin',
      '@react-aria/optimize-locales-plugin',
      // The parts of it that the binary holds.
      'undici',
      'undici/*',
    ],
    edge: true,
    reason: 'makes the packages: runs where the project is built, and never where it is installed',
  },
  {
    folders: ['installer/documentation'],
    may: ['installer', 'shared', 'appliance', 'cloud'],
    packages: ['commander', 'oxc-parser'],
    edge: true,
    reason: 'makes pages of the tables of all programs: runs where the project is built',
  },
  {
    folders: ['installer/bin.ts'],
    may: ['installer/carillon.ts', 'installer/build/program', 'installer/io/terminal'],
    computed: true,
    edge: true,
    reason: 'runs the bundle of the sources, whose folder is named by their sum',
  },
  {
    folders: ['installer/carillon.ts'],
    may: ['installer', 'shared', 'appliance', 'cloud'],
    packages: ['commander'],
    edge: true,
    reason: 'the entry of the command line: the only file that may import all programs',
  },

  // For those who write against the product
  {
    folders: ['sdk/js'],
    edge: true,
    reason: 'is installed by strangers: it brings no package and no part of the product with it',
  },
  {
    folders: ['sdk/build'],
    may: ['installer/build'],
    edge: true,
    reason: 'makes the packages and the vectors: runs where the project is built',
  },

  {
    folders: ['examples'],
    may: ['sdk/js'],
    edge: true,
    reason: 'is read and copied by strangers: it uses the SDK that they install, and nothing of the product',
  },

  // Tests
  {
    folders: ['test'],
    may: ['test', 'shared', 'appliance', 'cloud', 'installer', 'sdk'],
    packages: ['*'],
    edge: true,
    reason: 'a test may hold both ends of a wire; no source imports a test, because no row above says so',
  },
];
