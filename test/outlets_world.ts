/** A host with the outlets, compiled as the binary is, and a balancer beside it in a network of its own. */

import { join } from "node:path";
import { compileModule } from "../scripts/compile_module.ts";
import type { Need } from "./needs.ts";
import { WITHIN } from "./within.ts";
import { inWorldOk } from "./world.ts";

/** What such a test needs. */
export const NEEDS: readonly Need[] = ["root", "namespaces", "/usr/sbin/ip", "/usr/bin/ps", "/usr/bin/perl"];

/**
 * The host is 10.77.0.1 and fd00:77::1, the balancer 10.77.0.2 and fd00:77::2. A server that answers nothing but
 * connections stands for the site.
 */
const HOST = String.raw`
mkdir -p /run/netns /run/loadweir/state
ip netns add balancer
ip link add to-balancer type veth peer name to-host netns balancer
ip link set to-balancer up
ip addr add 10.77.0.1/24 dev to-balancer
ip addr add fd00:77::1/64 dev to-balancer nodad
balancer() { ip netns exec balancer "$@"; }
balancer ip link set lo up
balancer ip link set to-host up
balancer ip addr add 10.77.0.2/24 dev to-host
balancer ip addr add fd00:77::2/64 dev to-host nodad
perl -MIO::Socket::INET -e 'exit if fork;
  $s = IO::Socket::INET->new(LocalAddr => "0.0.0.0:80", Listen => 50, ReuseAddr => 1) or die;
  while ($c = $s->accept) { close $c }'

play() { echo "$*" >/run/loadweir/state/play; }
outlets() { $share/program "$@" >>/tmp/told 2>&1 & outlets_pid=$!; }
${WITHIN}
late() { cat /tmp/told; }
told() { grep -qF "$1" /tmp/told; }
# What a server says until it ends: address, port, what is sent.
raw() { perl -MIO::Socket::IP -e '$s = IO::Socket::IP->new(PeerAddr => $ARGV[0], PeerPort => $ARGV[1]) or exit 1;
  print $s eval qq("$ARGV[2]"); $s->flush; print <$s>' "$1" "$2" "${"${3:-}"}"; }
`;

/**
 * Runs a script on such a host.
 *
 * @returns What it printed to standard output
 * @throws {Error} If it exits with another code than 0
 */
export async function onOutletHost(script: string): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "loadweir-outlets-" });
  try {
    await compileModule("test/outlets_program.ts", join(folder, "program"));
    return await inWorldOk(`share=${folder}\n${HOST}\n${script}`, { bind: true, share: [folder] });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
