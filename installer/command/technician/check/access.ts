import { accessSync, constants } from 'node:fs';
import { exitCode, Stop } from '../../../exit-code.ts';
import type { Person } from '../terminal/person.ts';

/** May this person look into the folder of all state? One that is not there may be looked into. */
export function isReadable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/** A person without the right to read would take an enrolled host for one that is not. */
export function mayRead(folder: string, person: Person): void {
  if (!isReadable(folder)) throw new Stop(exitCode.notPermitted, person.text('access.root', { folder }));
}
