/** A person who has no rights but those that sudo gives: who types what a document says. */

import type { Need } from "./needs.ts";

/** What a test with such a person needs. */
export const PERSON_NEEDS: readonly Need[] = ["/usr/bin/sudo", "/usr/bin/setpriv"];

/** Folder of the person, in which the shell is afterwards. */
export const PERSON_HOME = "/home/person";

/**
 * Shell for a host: makes the person, as Debian does, down to the PATH, in which no folder of `sbin` is. `as_person SCRIPT`
 * has the person run a script where the shell is, after words that run a program, if there are any: `as_person SCRIPT timeout 9`.
 */
export const PERSON = String.raw`
useradd --create-home --shell /bin/bash person
echo 'person ALL=(ALL:ALL) NOPASSWD: ALL' >/etc/sudoers.d/person
# sudo looks the name of the host up.
echo '127.0.1.1 web-1' >>/etc/hosts
as_person() { "${"$"}{@:2}" setpriv --reuid person --regid person --init-groups env -i \
  HOME=${PERSON_HOME} USER=person LANG=C.UTF-8 TERM=dumb PATH=/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games \
  bash -o pipefail -c "$1"; }
cd ${PERSON_HOME}
`;
