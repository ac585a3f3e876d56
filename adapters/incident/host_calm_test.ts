import { assertEquals } from "@std/assert";
import type { CalmFile } from "../../mod/incident/policy.ts";
import { readHostCalm } from "./host_calm.ts";

Deno.test("readHostCalm() counts files that are there, and files that are not", async () => {
  const folder = await Deno.makeTempDir();
  const files: readonly CalmFile[] = [
    { path: `${folder}/upgrade.pid`, expected: false, reason: "an upgrade" },
    { path: `${folder}/alias`, expected: true, reason: "no alias yet" },
    { path: `${folder}/lfd.pid`, expected: true, ifThere: `${folder}/csf.conf`, reason: "no firewall yet" },
  ];
  const busyWith = async (): Promise<readonly string[]> => (await readHostCalm(5, files)).busyWith;
  try {
    assertEquals(await readHostCalm(5, []), { uptimeMs: 5, busyWith: [] });
    assertEquals(await busyWith(), ["no alias yet"]);
    for (const name of ["upgrade.pid", "csf.conf"]) Deno.writeTextFileSync(`${folder}/${name}`, "");
    assertEquals(await busyWith(), ["an upgrade", "no alias yet", "no firewall yet"]);
    for (const name of ["alias", "lfd.pid"]) Deno.writeTextFileSync(`${folder}/${name}`, "");
    Deno.removeSync(`${folder}/upgrade.pid`);
    assertEquals(await busyWith(), []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("readHostCalm() holds nothing back for a file that cannot be looked at", async () => {
  const files = [{ path: "/dev/null/x", expected: true, reason: "missing" }];
  assertEquals((await readHostCalm(undefined, files)).busyWith, []);
});
