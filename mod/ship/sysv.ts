/**
 * The init script for hosts without systemd.
 *
 * @see https://refspecs.linuxbase.org/LSB_5.0.0/LSB-Core-generic/LSB-Core-generic/iniscrptact.html
 */

import { MOUNT_SCRIPT } from "../check/proc_mount.ts";
import { PHP_VERSIONS } from "../permissions.ts";
import { STOP_TIMEOUT_S } from "./deadlines.ts";
import { AGENT_LOG } from "./logrotate.ts";
import { LOG_FOLDER, PROGRAM, STATE_FOLDER } from "./places.ts";

/** Where it belongs. */
export const SYSV_PATH = "/etc/init.d/loadweir";

/** What revives an agent that has died, and where it belongs. */
export const CRON_PATH = "/etc/cron.d/loadweir";
export const CRON_LINE = `* * * * * root ${SYSV_PATH} revive`;

/** Services that it starts after and stops before, so that a shutdown finds the web up. */
const WEB = ["nginx", "php-fpm", ...PHP_VERSIONS.map((version) => `php${version}-fpm`)].join(" ");

/** The script. */
export const SYSV = `#!/bin/sh
### BEGIN INIT INFO
# Provides:          loadweir
# Required-Start:    $remote_fs
# Required-Stop:     $remote_fs
# Should-Start:      $network ${WEB}
# Should-Stop:       $network ${WEB}
# Default-Start:     2 3 4 5
# Default-Stop:      0 1 6
# Short-Description: sheds load before this web host goes under
### END INIT INFO

# The agent of loadweir, armed. Printed by \`loadweir print sysv\`; belongs to ${SYSV_PATH}, mode 755.
# An agent that has died is revived by this line in ${CRON_PATH}:
#
#     ${CRON_LINE}
#
# It leaves alone what was never started, or was stopped. Where no agent stays alive the web is given back without one.

PATH=/usr/sbin:/usr/bin:/sbin:/bin
PROGRAM=${PROGRAM}
STATE=${STATE_FOLDER}
PIDFILE=$STATE/agent.pid
# The pid of the last agent that was revived, or the word failed.
REVIVED=$STATE/revived
LOG=${AGENT_LOG}
out=$LOG
# Seconds that a stop may take: it gives the web back, and loads ufw's rules to the end.
STOP_TIMEOUT=${STOP_TIMEOUT_S}
# Seconds that the program may take to begin. Half of the time from one revival to the next.
START_TIMEOUT=30

# Whether a pid is that of an agent: the number alone may be anybody's by now.
is_agent() {
  exe=$(readlink "/proc/$1/exe" 2> /dev/null) || return 1
  [ "\${exe% (deleted)}" = "$(readlink -f "$PROGRAM")" ]
}

# Whether the agent runs, as pid.
agent() {
  pid=$(cat "$PIDFILE" 2> /dev/null) && is_agent "$pid"
}

# Until the next boot the mount stays: \`loadweir status\` and \`release\` read from it as well.
mount_proc() {
${indented(MOUNT_SCRIPT)}
}

# Whether a pid runs, whatever it is. A zombie does not.
is_alive() {
  readlink "/proc/$1/exe" > /dev/null 2>&1
}

# Starts the agent unless it runs; leaves its pid in PIDFILE also when it has ended at once.
begin() {
  agent && { echo "loadweir runs already, pid $pid"; return 0; }
  mkdir -p "$STATE" || return 1
  # A disk that is full or cannot be written keeps no agent from running.
  mkdir -p -m 750 ${LOG_FOLDER}
  (: >> "$out") || out=/dev/null
  # Without the mount the agent still works, from kernel calls.
  mount_proc || echo "loadweir: no mount of /proc" >&2
  cd / || return 1
  setsid "$PROGRAM" run < /dev/null >> "$out" 2>&1 &
  pid=$!
  echo "$pid" > "$PIDFILE"
  # One that cannot start, as beside another agent, ends within this; one on a host that is overloaded begins late.
  sleep 1
  left=$START_TIMEOUT
  while is_alive "$pid" && ! is_agent "$pid" && [ "$left" -gt 0 ]; do
    sleep 1
    left=$((left - 1))
  done
  is_alive "$pid"
}

start() {
  begin || { echo "loadweir did not start, see $out" >&2; rm -f "$PIDFILE"; return 1; }
}

# What has died has left the web as it held it. The next agent goes on with that; where that one has died as well, or none
# starts, the web is given back first. PIDFILE stays: the next minute tries again. cron mails what is told, once.
revive() {
  [ -e "$PIDFILE" ] || return 0
  agent && return 0
  last=$(cat "$REVIVED" 2> /dev/null)
  [ "$pid" = "$last" ] && release
  begin && { echo "$pid" > "$REVIVED"; return 0; }
  [ "$last" = failed ] || echo "loadweir does not start, see $out; trying each minute" >&2
  echo failed > "$REVIVED"
  release
  return 1
}

# Gives back what an agent holds that has died.
release() {
  "$PROGRAM" release --left < /dev/null >> "$out" 2>&1
}

stop() {
  pid=
  agent
  # Before it ends, so that nobody revives it.
  rm -f "$PIDFILE"
  if is_agent "$pid"; then
    kill -TERM "$pid"
    left=$STOP_TIMEOUT
    while is_agent "$pid" && [ "$left" -gt 0 ]; do
      sleep 1
      left=$((left - 1))
    done
    is_agent "$pid" && kill -KILL "$pid"
  fi
  # Of an agent that was killed, or could not give everything back.
  "$PROGRAM" release --left
}

case "$1" in
  start) start ;;
  stop) stop ;;
  restart) stop; start ;;
  # The configuration is read again; what is held stays held.
  reload | force-reload) agent && kill -HUP "$pid" ;;
  status)
    if agent; then echo "loadweir runs, pid $pid"; exit 0; fi
    if [ -e "$PIDFILE" ]; then echo "loadweir is dead, and was not stopped"; exit 1; fi
    echo "loadweir does not run"
    exit 3
    ;;
  revive) revive ;;
  *)
    echo "usage: $0 start|stop|restart|reload|force-reload|status|revive" >&2
    exit 2
    ;;
esac
`;

function indented(text: string): string {
  return text.trimEnd().split("\n").map((line) => `  ${line}`).join("\n");
}
