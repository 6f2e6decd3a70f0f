import { describe, expect, it } from 'vitest';
import { foreignAssignments } from './assignment-rule.ts';
import { repositorySources } from './repository.ts';
import { lines, source } from './source.ts';

/** Assignments that are left, by file. The numbers only get smaller. */
const LEFT: Readonly<Record<string, number>> = {};

const planted = (text: string) => foreignAssignments(source('appliance/call/control/leg.ts', text));

describe('objects are wired by their constructors, their listeners and their own methods', () => {
  it('and by no assignment from outside', () => {
    const sources = repositorySources().filter(({ path }) => /^(appliance|shared)\//.test(path));
    const found = sources.flatMap(foreignAssignments);
    const counted = new Map<string, number>();
    for (const { path } of found) counted.set(path, (counted.get(path) ?? 0) + 1);
    expect(lines(found.filter(({ path }) => LEFT[path] === undefined))).toEqual([]);
    expect(Object.fromEntries(counted)).toEqual(LEFT);
  });

  it.each([
    `voice.onOutcome = (id) => id;`,
    `call.onProgress = wanted.onProgress;`,
    `class A { constructor(desk) { desk.onEnded = this.#over; } }`,
    `if (this.#call !== undefined) this.#call.onInfo = pass;`,
    `calls.claims = (request) => undefined;`,
    `media.openLeg = async (opening) => opened;`,
    `other.method = function () {};`,
    `class A { constructor(table) { table.size = 3; } }`,
    `class A { run() { this.#ports.log = undefined; } }`,
    `this.#dependencies.calls.near = leg;`,
  ])('%s turns red', (text) => {
    expect(planted(text)).toHaveLength(1);
  });

  it.each([
    `class A { constructor(ports) { this.#ports = ports; this.onEnd = ports.onEnd; } }`,
    `const entry = { count: 0 }; entry.count = 1;`,
    `class A { run(entry) { entry.next = undefined; } }`,
    `const wired = { onEnd: () => undefined };`,
    `voice.commandOver.add((id) => id);`,
  ])('%s stays green', (text) => {
    expect(planted(text)).toEqual([]);
  });
});
