#!/bin/sh
# Takes back a release that was switched to and does not start: `current` shows the previous one again. Part of no
# release, so that a broken one cannot bring its own. Without an unfinished upgrade it was a configuration, perhaps one whose
# command was cut: the maintenance of the release knows.
set -eu
opt=${CARILLON_OPT:-/opt/carillon}
update=${CARILLON_UPDATE:-/var/lib/carillon-update}
service=carillon-appliance.service

[ -e "$update/pending" ] || { systemctl start --no-block carillon-maintenance.service || :; exit 0; }
previous=$(readlink "$opt/previous") || exit 0
[ -x "$opt/previous/carillon" ] || { echo "$opt/previous holds no release: nothing to go back to" >&2; exit 0; }

failed=$(readlink "$opt/current") || failed=nothing
# Asked last: whoever upgraded may be taking it back at this moment. What is read before its first step leads to the same
# place, and afterwards the release on trial runs no longer: going back then would go back twice.
trial=$(cat "$update/pending" 2>/dev/null) || exit 0
[ "$failed" = nothing ] || [ "${failed##*/}" = "$trial" ] || { echo "$failed is not on trial: nothing to take back" >&2; exit 0; }
echo "$failed does not start; going back to $previous" >&2
ln -sfnT "$previous" "$opt/current.part"
mv -T "$opt/current.part" "$opt/current"
rm -f "$update/pending"
sync -f "$opt" "$update"
# Without this systemd refuses: the limit of starts was reached.
systemctl reset-failed "$service"
systemctl start --no-block "$service"
