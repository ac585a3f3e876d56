/** The playbooks of `scripts/ansible` on a web host: releases to install, and words to play them. */

import { join } from "node:path";
import { sha256Hex } from "../scripts/denort.ts";
import { PROJECT } from "../scripts/project_files.ts";
import type { Need } from "./needs.ts";
import { UNIT_NEEDS } from "./service_unit.ts";

/** Where the playbooks are. */
export const PLAYBOOKS = join(PROJECT, "scripts/ansible");

/** What a test needs that plays them. */
export const ANSIBLE_NEEDS: readonly Need[] = [
  ...UNIT_NEEDS,
  "/usr/bin/ansible-playbook",
  "/usr/sbin/start-stop-daemon",
];

/** What stands before the version in a binary: the manifest of the project is part of its code. */
const BEFORE_VERSION = ["deno_default = {", 'version: "'] as const;

/** How long two dozen plays may take: each takes some seconds, and more beside other tests. */
export const ANSIBLE_DEADLINE_MS = 900_000;

/**
 * Makes a folder as `scripts/deno task compile` does, with a binary that differs in its version alone, and takes it away
 * afterwards.
 *
 * @param version As long as the version of the project
 * @param use What is done with the folder, which a world sees too
 */
export async function withRelease(version: string, use: (folder: string) => Promise<void>): Promise<void> {
  const binary = await Deno.readFile(join(PROJECT, "dist/loadweir-x86_64"));
  const at = BEFORE_VERSION.reduce((from, text) => endOf(binary, new TextEncoder().encode(text), from), 0);
  binary.set(new TextEncoder().encode(version), at);
  const folder = await Deno.makeTempDir({ dir: "/var/tmp", prefix: "loadweir-release-" });
  try {
    await Deno.writeFile(join(folder, "loadweir-x86_64"), binary);
    await Deno.writeTextFile(join(folder, "SHA256SUMS"), `${await sha256Hex(binary)}  loadweir-x86_64\n`);
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Where bytes end that are in others, from a place on. */
function endOf(bytes: Uint8Array, wanted: Uint8Array, from: number): number {
  const [first = 0] = wanted;
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return at + wanted.length;
  }
  throw new Error(`${JSON.stringify(new TextDecoder().decode(wanted))} is not in the binary`);
}

/**
 * Shell for the host: nothing of ours is installed, the settings of the fleet are in /tmp/fleet.yml, and `fleet PLAYBOOK …`
 * plays one and says how many things it changed, `refused PLAYBOOK …` one that must fail.
 */
export const FLEET = String.raw`
umount /run/loadweir/proc/loadavg /run/loadweir/proc
rmdir /run/loadweir/proc /run/loadweir
rm -r /etc/loadweir
mount --bind /tmp/loadavg /proc/loadavg
export ANSIBLE_PIPELINING=1 ANSIBLE_NOCOLOR=1
settings() { printf 'loadweir_config:\n  ladder:\n    interval: 100ms\n    recheck: 200ms\n' >/tmp/fleet.yml
  printf '%s\n' "$@" >>/tmp/fleet.yml; }
settings
playbook() { ansible-playbook -i localhost, -c local -e ansible_python_interpreter=/usr/bin/python3 \
  -e @/tmp/fleet.yml -e loadweir_service_manager="$manager" "${PLAYBOOKS}/$1.yml" "${"$"}{@:2}" >/tmp/said 2>&1; }
fleet() { playbook "$@" || { cat /tmp/said; exit 1; }
  sed -n 's/^localhost .*\(changed=[0-9]*\).*/'"$1"' \1/p' /tmp/said | sed 's/=[1-9][0-9]*$/=some/'; }
refused() { not playbook "$@" || { cat /tmp/said; exit 1; }; }
# Whatever has our name where programs, settings and logs are.
ours() { find /etc /usr/local /var /run -xdev -name '*loadweir*' -not -path '/var/tmp/*' | sort; }
said() { grep -q "$@" /tmp/said || { cat /tmp/said; exit 1; }; }
ours >/tmp/before
left_nothing() { ours | diff /tmp/before -; }
`;
