import { assertEquals } from "@std/assert";
import { type ConfigAlarm, openConfigAlarm } from "./config_alarm.ts";

const HOUR_MS = 3_600_000;

/** A host whose agents end and start; what they tell is collected. */
async function onHost(
  test: (start: (toldForMs: number) => ConfigAlarm, told: string[], later: (ms: number) => void) => void,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  const told: string[] = [];
  let nowMs = 1_795_980_674_000;
  const start = (toldForMs: number): ConfigAlarm =>
    openConfigAlarm(`${folder}/config-unusable`, {
      clock: { wallMs: () => nowMs },
      toldForMs,
      tell: ({ level, name, details }) => told.push([level, name, ...details].join(" ")),
    });
  try {
    test(start, told, (ms) => nowMs += ms);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("openConfigAlarm() tells once of what is wrong, and once that it is mended", async () => {
  await onHost((start, told) => {
    const alarm = start(0);
    alarm.clear();
    assertEquals([alarm.isRaised(), told], [false, []]);
    alarm.raise(["a"]);
    alarm.raise(["b"]);
    assertEquals([alarm.isRaised(), told], [true, ["ALERT config-unusable a"]]);
    alarm.clear();
    alarm.clear();
    assertEquals([alarm.isRaised(), told], [false, ["ALERT config-unusable a", "INFO config-mended"]]);
  });
});

Deno.test("openConfigAlarm() tells again with an agent that stays, and that a start found it mended", async () => {
  await onHost((start, told) => {
    start(0).raise([]);
    start(0).raise([]);
    start(0).clear();
    start(0).clear();
    assertEquals(told, ["ALERT config-unusable", "ALERT config-unusable", "INFO config-mended"]);
  });
});

Deno.test("openConfigAlarm() tells of single passes one in their time, also when the clock was set back", async () => {
  await onHost((start, told, later) => {
    for (let minute = 0; minute < 240; minute += 1) {
      const alarm = start(2 * HOUR_MS);
      alarm.raise([String(minute)]);
      assertEquals(alarm.isRaised(), true);
      later(60_000);
    }
    assertEquals(told, ["ALERT config-unusable 0", "ALERT config-unusable 120"]);
    later(-24 * HOUR_MS);
    start(2 * HOUR_MS).raise(["set back"]);
    assertEquals(told.at(-1), "ALERT config-unusable set back");
  });
});
