import { beforeTakenAdvice, takenAdvice } from '#shared/setting/index.ts';
import { exitCode, Stop } from '../exit-code.ts';

/**
 * A start that failed, in one whole sentence that says what to do. `move` tells how this command is given other ports, where it is not
 * by the setting that the reason names.
 */
export function startFailure(reason: string, move?: string): Stop {
  if (reason.includes('EADDRINUSE')) {
    const what = beforeTakenAdvice(reason);
    const isExplained = what !== undefined && move === undefined;
    const advice = takenAdvice(move ?? 'change the setting that names it');
    return new Stop(exitCode.missing, isExplained ? reason : `${what ?? reason}; ${advice}`);
  }
  if (/EACCES|EPERM/.test(reason)) {
    // The listener says it already.
    const isExplained = reason.includes('takes a capability');
    const sentence = isExplained ? reason : `${reason}; choose a port above 1023 or another folder`;
    return new Stop(exitCode.notPermitted, sentence);
  }
  // An address may come a moment later (IPv6 looks for a duplicate first, RFC 4862 5.4): the service is started again.
  if (/EADDRNOTAVAIL/.test(reason)) return new Stop(exitCode.missing, reason);
  // Nor is a database that is away a wrong setting, after which a service is not started again.
  if (reason.startsWith('The database of CARILLON_DATABASE cannot be used'))
    return new Stop(exitCode.tryAgain, reason);
  if (/ENOSPC|SQLITE_FULL/.test(reason)) return new Stop(exitCode.disk, `${reason}; make room on the disk`);
  return new Stop(exitCode.wrongConfiguration, reason);
}
