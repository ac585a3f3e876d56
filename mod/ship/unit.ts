/**
 * The units of systemd: of the agent, and of an audit that runs for weeks.
 *
 * What each line of the sandbox is for, and what is left open and why, is told in `docs/permissions.md`.
 *
 * @see https://www.freedesktop.org/software/systemd/man/252/systemd.exec.html
 * @see https://www.freedesktop.org/software/systemd/man/252/systemd.service.html
 */

import { PROC_MOUNT } from "../check/proc_mount.ts";
import { STOP_TIMEOUT_S, WATCHDOG_S } from "./deadlines.ts";
import { LIBRARY_FOLDER, LOG_FOLDER, PROGRAM, STATE_FOLDER } from "./places.ts";

/** Where the units belong. */
export const UNIT_PATH = "/etc/systemd/system/loadweir.service";
export const AUDIT_UNIT_PATH = "/etc/systemd/system/loadweir-audit.service";

/** The proc root of a unit: recursive, so that files which lxcfs puts over those of `/proc` come along. */
export const BIND_PROC = `BindReadOnlyPaths=/proc:${PROC_MOUNT}`;

/** What both units are confined by. */
const SANDBOX = `KeyringMode=private
LockPersonality=yes
MemoryDenyWriteExecute=yes
NoNewPrivileges=yes
PrivateDevices=yes
PrivateMounts=yes
PrivateTmp=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
ProtectSystem=strict
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallErrorNumber=EPERM
SystemCallFilter=@system-service @pkey
SystemCallFilter=~@privileged @resources`;

/** The unit of the agent. */
export const UNIT = `# The agent of loadweir, armed. Printed by \`loadweir print unit\`; belongs to
# ${UNIT_PATH}. Your own lines belong in a drop-in: systemctl edit loadweir

[Unit]
Description=loadweir: sheds load before this web host goes under
# In no order with nginx and php-fpm: a stop that gives them back would wait for them, and their start for its end.
After=network.target
# Whatever ended it, and however often: who holds the web is there to give it back.
StartLimitIntervalSec=0

[Service]
Type=notify
# systemd-notify is a child of the agent.
NotifyAccess=all
ExecStart=${PROGRAM} run
ExecReload=/bin/kill -HUP $MAINPID
# Of an agent that was killed: gives back what it held.
ExecStopPost=${PROGRAM} release --left
Restart=always
RestartSec=1
# A stop gives the web back, which takes as long as nginx and php-fpm take to start, and loads ufw's rules to the end.
KillMode=mixed
TimeoutStartSec=300
TimeoutStopSec=${STOP_TIMEOUT_S}
# An agent that stands still is killed, without a core, and the web is given back.
WatchdogSec=${WATCHDOG_S}
WatchdogSignal=SIGKILL

RuntimeDirectory=${inFolder("/run", STATE_FOLDER)}
# What is held is known to the agent that comes after, and to \`loadweir release\`.
RuntimeDirectoryPreserve=yes
StateDirectory=${inFolder("/var/lib", LIBRARY_FOLDER)}
LogsDirectory=${inFolder("/var/log", LOG_FOLDER)}
LogsDirectoryMode=0750
${BIND_PROC}

# When the host is short of everything the agent goes first. What it starts has these too, but for the web.
Nice=-5
CPUWeight=500
OOMScoreAdjust=-500
# VmHWM of the agent as this unit, which probed a site each second through twelve pauses: 139 MB, of which 98 MB count
# here; nginx -t of many sites, hooks and mailers count too. What grows beyond is killed alone; an agent is revived.
MemoryMax=512M
OOMPolicy=continue

# Stops answering pings by nft (CAP_NET_ADMIN, AF_NETLINK); tests nginx on port 80 (CAP_NET_BIND_SERVICE); reads logs and
# keys of others (CAP_DAC_OVERRIDE); ends runaways (CAP_KILL).
CapabilityBoundingSet=CAP_DAC_OVERRIDE CAP_KILL CAP_NET_ADMIN CAP_NET_BIND_SERVICE
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
# A test of nginx or php-fpm opens every log that a site names; pid files and sockets come and go in /run.
ReadWritePaths=/run /var -/data -/home -/srv -/etc/nginx/loadweir
${SANDBOX}

[Install]
WantedBy=multi-user.target
`;

/** The unit of the audit. */
export const AUDIT_UNIT =
  `# An audit by loadweir: says in the journal what the agent would do, and changes nothing. Printed by
# \`loadweir print audit-unit\`; belongs to ${AUDIT_UNIT_PATH}

[Unit]
Description=loadweir: says what it would do to this web host, and does nothing

[Service]
ExecStart=${PROGRAM} run --dry-run
Restart=always
RestartSec=10
${BIND_PROC}
Nice=5
OOMScoreAdjust=500
# VmHWM as this unit, with a pass each second through twelve storms: 63 MB.
MemoryMax=256M

# Root without any of its powers: the settings of a BOA host are in /root.
CapabilityBoundingSet=
IPAddressDeny=any
PrivateNetwork=yes
ProtectHome=read-only
RestrictAddressFamilies=AF_UNIX
UMask=0077
${SANDBOX}

[Install]
WantedBy=multi-user.target
`;

/** A folder as systemd names those that it makes: relative to where all of a kind are. */
function inFolder(parent: string, path: string): string {
  return path.slice(`${parent}/`.length);
}
