/**
 * Tests that need more than Deno say what: root, a program, a kernel feature.
 *
 * Where something is missing they are skipped, and their names say why; where `CI=true` they fail instead, so
 * that a green run there has run them all.
 */

import { existsSync } from "node:fs";

/** Something a test needs of the machine. */
export type Need = "root" | "namespaces" | "qemu-aarch64" | `/${string}`;

/** Debian packages that hold what is needed, for the one who is told that it is missing. */
const PACKAGES: Readonly<Record<string, string>> = {
  "qemu-aarch64": "qemu-user libc6-arm64-cross libgcc-s1-arm64-cross",
  "/usr/bin/unshare": "util-linux",
  "/usr/bin/ps": "procps",
  "/usr/bin/vmstat": "procps",
  "/usr/bin/setpriv": "util-linux",
  "/usr/bin/sudo": "sudo",
  "/usr/bin/strace": "strace",
  "/usr/bin/tmux": "tmux",
  "/usr/sbin/ip": "iproute2",
  "/usr/bin/ping": "iputils-ping",
  "/usr/sbin/nft": "nftables",
  "/usr/sbin/ufw": "ufw",
  "/usr/sbin/iptables": "iptables",
  "/usr/sbin/sysctl": "procps",
  "/usr/sbin/nginx": "nginx-light",
  "/usr/bin/s-nail": "s-nail",
  "/usr/bin/nsenter": "util-linux",
  "/lib/systemd/systemd": "systemd",
  "/usr/bin/systemd-notify": "systemd",
  "/usr/bin/systemd-analyze": "systemd",
  "/usr/bin/git": "git",
  "/usr/bin/groff": "groff-base",
  "/usr/bin/man": "man-db",
  "/usr/bin/curl": "curl",
  "/usr/bin/node": "nodejs",
  "/usr/bin/ansible-playbook": "ansible-core",
  "/usr/sbin/start-stop-daemon": "dpkg",
  "/usr/sbin/haproxy": "haproxy",
  "/usr/sbin/keepalived": "keepalived",
  "/usr/bin/openssl": "openssl",
  "/usr/bin/chromium": "chromium",
  "/usr/sbin/service": "init-system-helpers",
  "/usr/bin/php": "php-cli",
  "/usr/sbin/php-fpm8.2": "php8.2-fpm",
  "/usr/sbin/mariadbd": "mariadb-server",
  "/usr/lib/postgresql/15/bin/postgres": "postgresql-15",
  "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1": "libfaketime",
};

/** What the emulator needs: itself, and the libraries that an aarch64 program is linked with. */
const QEMU_FILES = [
  "/usr/bin/qemu-aarch64",
  "/usr/aarch64-linux-gnu/lib/ld-linux-aarch64.so.1",
  "/usr/aarch64-linux-gnu/lib/libgcc_s.so.1",
];

/**
 * Defines a test that runs only where the machine has what it needs.
 *
 * @param needs What is needed: a word, or the absolute path of a program
 */
export function testNeeding(needs: readonly Need[], name: string, fn: () => Promise<void> | void): void {
  const missing = needs.map(maybeMissing).filter((reason) => reason !== undefined);
  if (missing.length === 0) {
    Deno.test(name, fn);
  } else if (Deno.env.get("CI") === "true") {
    Deno.test(name, () => {
      throw new Error(`Cannot run this test: ${missing.join("; ")}`);
    });
  } else {
    Deno.test({ name: `${name} (skipped: ${missing.join("; ")})`, ignore: true, fn });
  }
}

/** What is missing for a need, in words, or undefined. */
function maybeMissing(need: Need): string | undefined {
  switch (need) {
    case "root":
      return Deno.uid() === 0 ? undefined : "needs root";
    case "namespaces":
      return canUnshare() ? undefined : "needs root and a kernel that lets it unshare mounts and processes";
    case "qemu-aarch64":
      return QEMU_FILES.every(existsSync) ? undefined : `needs the packages ${PACKAGES[need]}`;
    default:
      return existsSync(need) ? undefined : `needs ${need}${packageHint(need)}`;
  }
}

/** Where a file comes from, if that is known. */
function packageHint(need: string): string {
  if (need.includes("/dist/")) return ", made by scripts/deno task compile";
  if (need.includes("/node_web/")) return ", made by npm ci --prefix test/node_web";
  const name = PACKAGES[need];
  return name === undefined ? "" : ` of the package ${name}`;
}

/** Whether a private world can be made here. */
function canUnshare(): boolean {
  try {
    const args = ["--mount", "--pid", "--net", "--uts", "--fork", "--mount-proc", "/bin/true"];
    return new Deno.Command("/usr/bin/unshare", { args, stderr: "null" }).outputSync().success;
  } catch {
    return false;
  }
}
