import { compileFunction } from 'node:vm';
import { readProgram } from './release-file.ts';

/**
 * What Node finds in itself: takes the front door out of the archive, where it is stored compressed, and opens it. In
 * Node's own blob it would add its whole length to the binary.
 */
const WORDS = ['exports', 'require', 'module'];
const module = { exports: {} };
const open = compileFunction(readProgram('installer/carillon.ts'), WORDS, { filename: 'carillon.cjs' });
open(module.exports, require, module);
