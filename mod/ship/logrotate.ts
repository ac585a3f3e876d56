/**
 * Rotation of what is logged. The journal of samples bounds itself and is left out.
 *
 * @see https://man7.org/linux/man-pages/man8/logrotate.8.html
 */

import { LOG_FOLDER } from "./places.ts";

/** Where it belongs. */
export const LOGROTATE_PATH = "/etc/logrotate.d/loadweir";

/** What the agent prints where nothing else keeps it. */
export const AGENT_LOG = `${LOG_FOLDER}/agent.log`;

/** The file. */
export const LOGROTATE =
  `# Logs of loadweir. Printed by \`loadweir print logrotate\`; belongs to ${LOGROTATE_PATH}

# The agent opens it anew for each line.
${LOG_FOLDER}/incident.log {
  monthly
  rotate 24
  compress
  delaycompress
  missingok
  notifempty
  nocreate
}

# Of the init script alone: the agent has it open all the time.
${AGENT_LOG} {
  weekly
  rotate 8
  compress
  missingok
  notifempty
  copytruncate
}
`;
