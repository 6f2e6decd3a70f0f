import { exitCode, Stop } from '../exit-code.ts';

/** A start that failed, in one sentence that says what to do. `move` tells how this command is given other ports. */
export function startFailure(reason: string, move: string): Stop {
  const taken = /EADDRINUSE[^\d[]*(\[?[0-9a-fA-F.:]+\]?:\d+)?/.exec(reason);
  if (taken !== null) {
    const address = taken[1] ?? 'an address';
    return new Stop(exitCode.missing, `${address} is taken by another program; end that one or ${move}`);
  }
  if (/EACCES|EPERM/.test(reason))
    return new Stop(exitCode.notPermitted, `${reason}; choose a port above 1023 or another folder`);
  // An address may come a moment later (IPv6 looks for a duplicate first, RFC 4862 5.4): the service is started again.
  if (/EADDRNOTAVAIL/.test(reason)) return new Stop(exitCode.missing, reason);
  if (/ENOSPC|SQLITE_FULL/.test(reason)) return new Stop(exitCode.disk, `${reason}; make room on the disk`);
  return new Stop(exitCode.wrongConfiguration, reason);
}
