/** Where the binary and what belongs to it are on a host: what it prints, its documents and its checks agree on it. */

/** The binary. */
export const PROGRAM = "/usr/local/sbin/loadweir";

/** All that is kept while the host is up. */
export const STATE_FOLDER = "/run/loadweir/state";

/** What outlives a boot, and the logs. */
export const LIBRARY_FOLDER = "/var/lib/loadweir";
export const LOG_FOLDER = "/var/log/loadweir";
