#!/bin/sh
# Runs inside of the virtual machine, once, and switches it off. Each step is one line on the second serial port: its name, exit code,
# seconds since the start of the machine before and after it, and the end of what it said, in base64.
trap 'systemctl poweroff --no-block' EXIT
. /root/words.sh
export HOME=/root
unit=carillon-appliance.service

up() { cut -d' ' -f1 /proc/uptime; }
step() {
  name=$1
  shift
  before=$(up)
  said=$(timeout 600 sh -c "$*" 2>&1)
  code=$?
  printf '%s %s %s %s %s\n' "$name" "$code" "$before" "$(up)" "$(printf %s "$said" | tail -c 6000 | base64 -w0)" >/dev/ttyS1
}
active="until systemctl is-active --quiet $unit; do sleep 0.2; done"
since="systemctl show $unit -p InactiveExitTimestampMonotonic -p ActiveEnterTimestampMonotonic -p NRestarts"
group="/sys/fs/cgroup/system.slice/$unit"

step kernel "uname -r; stat -fc %T /sys/fs/cgroup; nproc"
step mounts "grep -E ' (/run|/tmp|/dev/shm|/) ' /proc/mounts"
step install "dpkg -i /root/carillon.deb"
step ready "$active; $since"
step memory "cat $group/memory.current $group/memory.high $group/memory.max $group/pids.max; sed -n 's/^anon //p' $group/memory.stat"
step configure "install -m 640 -o root -g carillon /root/trust.pem /etc/carillon/trust.pem
  carillon configure --yes --address 127.0.0.1 --trust /etc/carillon/trust.pem --allow-private 127.0.0.0/8,::1/128"
step enrol "carillon enrol $CLAIM --cloud http://127.0.0.1:8080"
# The tenant's configuration comes a moment after the enrolment.
step alarm "until carillon simulate scaip --to 127.0.0.1:5060 --domain $DOMAIN --receiver scaip --device scaip-0001; do sleep 1; done"
step selftest "carillon selftest --json"
# Only what may be executed: of a place that is shut the attempt leaves a mapping that may not.
step addon "sed -n 's/.* r-xp .* \\(\\/.*\\) (deleted)\$/\\1/p' /proc/\$(systemctl show $unit -p MainPID --value)/maps | sort -u"
# The place that is tried first is shut, too: the library must be unpacked in the one after it.
step next-place "systemctl stop $unit
  mount -t tmpfs -o noexec,mode=755,uid=\$(id -u carillon),gid=\$(id -g carillon) none /var/cache/carillon
  systemctl start $unit && sed -n 's/.* r-xp .* \\(\\/.*\\) (deleted)\$/\\1/p' /proc/\$(systemctl show $unit -p MainPID --value)/maps | sort -u
  systemctl stop $unit; umount /var/cache/carillon; systemctl start $unit"
step killed "kill -9 \$(systemctl show $unit -p MainPID --value); sleep 1; $active; $since"
# Less than the program needs: the kernel ends it, and only it.
step limit "systemctl set-property --runtime $unit MemoryHigh=infinity MemoryMax=24M MemorySwapMax=0
  until journalctl -u $unit -o cat | grep -m 1 \"Failed with result 'oom-kill'\"; do sleep 0.5; done
  systemctl set-property --runtime $unit MemoryHigh=384M MemoryMax=512M
  systemctl reset-failed $unit; systemctl restart $unit; $active; cat $group/memory.max"
step alarm-after "carillon simulate scaip --to 127.0.0.1:5060 --domain $DOMAIN --receiver scaip --device scaip-0001"
step journal "journalctl -u $unit -p warning -o cat | tail -n 20"
