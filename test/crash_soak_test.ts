import { assertEquals } from "@std/assert";
import { testNeeding } from "./needs.ts";
import { MANAGERS, NEEDS, onWebHost } from "./web_host.ts";

/** Instants at which the agent is killed, spread over worlds that run side by side. */
const KILLS = 200;
const WORLDS = 4;

/**
 * Kills the agent at a random instant of a pause or of giving back, starts it again with a load that is safe, and wants the
 * web up: one nginx, one php-fpm, and nothing left in the ledger.
 */
const SOAK = String.raw`
# A worker bears the title of its master until it gets the CPU.
one_nginx() { [ "$(pgrep -fa '^nginx: master' | grep -vc -- '-c /srv/second/')" = 1 ]; }
one_fpm() { [ "$(pgrep -fc '^php-fpm: master' || true)" = 1 ]; }
settled() { ! grep -q '^  "hold": {' /run/loadweir/state/ledger.json; }
RANDOM=$seed
agent
for round in $(seq "$kills"); do
  play 700
  # A pause takes about a second, and so does giving back: from just begun to just done.
  sleep "$(awk -v r="$RANDOM" 'BEGIN { printf "%.3f", r / 32768 * 1.6 }')"
  if [ $((RANDOM % 3)) -eq 0 ]; then
    play 20
    sleep "$(awk -v r="$RANDOM" 'BEGIN { printf "%.3f", r / 32768 * 0.8 }')"
  fi
  kill -KILL "$agent_pid" || { late; exit 1; }
  wait "$agent_pid" 2>/dev/null || true
  play 20
  agent
  within 60 up
  within 10 settled
  within 10 one_nginx
  within 10 one_fpm
done
sleep 1
end_agent
up
innocents
echo "$round"
`;

testNeeding(
  NEEDS,
  `the web comes back after each of ${KILLS} kills of the agent at random instants`,
  async () => {
    const kills = KILLS / WORLDS;
    const rounds = await Promise.all(Array.from({ length: WORLDS }, (_, seed) => {
      const manager = MANAGERS[seed % MANAGERS.length] ?? "sysv";
      return onWebHost(manager, `seed=${seed + 1} kills=${kills}\n${SOAK}`, 600_000);
    }));
    assertEquals(rounds.map((round) => Number(round.trim())), Array(WORLDS).fill(kills));
  },
);
