/** How tests wait in a world for what others do there. */

/**
 * How many times as long as on an idle machine things may take: 1, or what `LOADWEIR_TEST_PATIENCE` says, as `.ci/run` does for
 * machines that are shared.
 *
 * @throws {Error} If that is no number of at least 1
 */
export const PATIENCE: number = patienceOf(Deno.env.get("LOADWEIR_TEST_PATIENCE") ?? "1");

/**
 * Shell that gives a script `within SECONDS COMMAND`, which waits until the command succeeds. Where it does not within that time,
 * the script ends with what it last printed, and with what `late` prints, which a script may define anew.
 */
export const WITHIN = String.raw`
late() { :; }
within() {
  local end=$((SECONDS + ${PATIENCE} * $1)); shift
  until "$@" >/dev/null 2>&1; do
    if [ "$SECONDS" -ge "$end" ]; then echo "not within its time: $*"; "$@" || true; late; exit 1; fi
    sleep 0.05
  done
}
`;

function patienceOf(text: string): number {
  if (/^[1-9]$/.test(text)) return Number(text);
  throw new Error(`Cannot wait LOADWEIR_TEST_PATIENCE="${text}" times as long, expected 1 to 9`);
}
