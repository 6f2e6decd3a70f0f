import { compileFunction } from 'node:vm';
import { PACKED_ROOT, packedName, readProgram } from './release-file.ts';

/**
 * The script that Node finds in itself: takes the entry out of the archive, where it is stored compressed, and opens it. In
 * Node's own blob it would add its whole length to the binary. A module that the entry loads on demand is a text of its own.
 */
const WORDS = ['exports', 'require', 'module'];
const opened = new Map<string, { exports: unknown }>();

function open(name: string): unknown {
  const known = opened.get(name);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  opened.set(name, module);
  compileFunction(readProgram(name), WORDS, { filename: name })(module.exports, load, module);
  return module.exports;
}

/** Programs come from the archive, and modules of Node from Node; there is nothing else. */
function load(id: string): unknown {
  const name = packedName(id);
  if (name !== undefined) return open(name);
  const module: unknown = process.getBuiltinModule(id);
  if (module === undefined)
    throw Object.assign(new Error(`${id} is not packed`), { code: 'MODULE_NOT_FOUND' });
  return module;
}

load(`${PACKED_ROOT}installer/carillon.ts`);
