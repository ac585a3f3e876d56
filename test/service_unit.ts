/** The printed units on a web host whose systemd is real. */

import type { Need } from "./needs.ts";
import { LOADWEIR, NEEDS } from "./web_host.ts";

/** What a test of a unit needs. */
export const UNIT_NEEDS: readonly Need[] = [
  ...NEEDS,
  "/usr/bin/systemd-notify",
  "/usr/bin/systemd-analyze",
];

/**
 * Shell that puts the units in place as they are printed, with a drop-in by which a test that fails can show what the
 * agent said. Their proc root shows the load that is played; who asks from a shell has none, as on a host.
 */
export const UNITS = String.raw`
umount /run/loadweir/proc/loadavg /run/loadweir/proc
rmdir /run/loadweir/proc /run/loadweir
mount --bind /tmp/loadavg /proc/loadavg
cp ${LOADWEIR} /usr/local/sbin/loadweir
units=/etc/systemd/system
loadweir print unit >$units/loadweir.service
loadweir print audit-unit >$units/loadweir-audit.service
# Adds lines to [Service] of the agent.
drop_in() { mkdir -p $units/loadweir.service.d; printf '[Service]\n' >"$units/loadweir.service.d/$1.conf"
  printf '%s\n' "${"$"}{@:2}" >>"$units/loadweir.service.d/$1.conf"; systemctl daemon-reload; }
drop_in log StandardOutput=append:/tmp/agent.log StandardError=append:/tmp/agent.log
main_pid() { systemctl show --value -p MainPID loadweir; }
shown() { systemctl show --value -p "$1" loadweir; }
revived() { [ "$(main_pid)" != "$1" ] && [ "$(main_pid)" != 0 ]; }
`;
