import type { Machine } from './machine.ts';

const PLACES =
  '/opt/carillon /etc/carillon /etc/systemd/system /etc/sysusers.d /usr/lib/systemd/system /var/lib/carillon-update';
/** Written beside before it is renamed; kept aside for the way back; unpacked on the way; begun by dpkg. */
const UNFINISHED =
  "-name '*.part' -o -name '*.dpkg-*' -o -path '*/backup/*' -o -path '*/wanted/*' -o -path '*/owed/*' -o -name unpacked -o -name network-unconfirmed -o -name followed-wish.json";

/**
 * Leftovers that only a running command has on a host: its files, its timers, and files of the service that the service could
 * not read. Nothing of it may stay, however a command ended.
 */
export async function leftovers(machine: Machine): Promise<readonly string[]> {
  const found = await machine.sh(`find ${PLACES} -xdev \\( ${UNFINISHED} \\) 2>/dev/null
    find /var/lib/carillon -xdev ! -user carillon
    flock --wait 5 /run/carillon-command.lock true || echo 'the lock of a command'
    systemctl list-units --plain --no-legend 'carillon-*-watch.timer' 'carillon-upgrade-confirm.timer' | cut -d' ' -f1`);
  return found.out.split('\n').filter((line) => line !== '');
}
