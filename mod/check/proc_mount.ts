/**
 * How to make a proc root by hand.
 *
 * Two steps, because older `mount` (util-linux before 2.27) takes `--bind -o ro` and leaves it writable. In a
 * container lxcfs puts files of its own over `/proc/loadavg` and others, and only a recursive bind takes them
 * along; it is made a slave, so that taking it away does not take away the originals.
 *
 * @see https://man7.org/linux/man-pages/man8/mount.8.html
 */

/** Where the mount is looked for. */
export const PROC_MOUNT = "/run/loadweir/proc";

/**
 * The commands, for root, one line each. They hold until the next boot.
 *
 * @param inContainer Whether this is a container
 */
export function mountCommands(inContainer: boolean): readonly string[] {
  const bind = inContainer ? "--rbind --make-rslave" : "--bind";
  return [
    `mkdir -p ${PROC_MOUNT} && mount ${bind} /proc ${PROC_MOUNT}`,
    `mount -o remount,bind,ro ${PROC_MOUNT}`,
  ];
}

/**
 * The same as a script for root, which finds out by itself whether lxcfs has been there, and leaves a mount alone that
 * there is. Its exit code tells whether there is one then.
 */
export const MOUNT_SCRIPT = `if ! mountpoint -q ${PROC_MOUNT}; then
  if grep -q ' /proc/loadavg ' /proc/mounts; then
    ${mountCommands(true)[0]}
  else
    ${mountCommands(false)[0]}
  fi && ${mountCommands(false)[1]}
fi
`;
