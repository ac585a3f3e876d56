import { assertEquals } from "@std/assert";
import { commOf, isAmbiguousComm } from "./comm.ts";

Deno.test("commOf() cuts after 15 bytes, as the kernel does", () => {
  assertEquals(commOf("php"), "php");
  assertEquals(commOf("mysql_backup.sh"), "mysql_backup.sh");
  assertEquals(commOf("mysql_cluster_backup.sh"), "mysql_cluster_b");
  assertEquals(commOf(""), "");
});

Deno.test("commOf() counts bytes, and shows a character cut in two as it is read", () => {
  assertEquals(commOf("sauvegarde_générale.sh"), "sauvegarde_gén");
  assertEquals(commOf("sauvegardes_été"), "sauvegardes_ét");
  assertEquals(commOf("sauvegarde_base_é"), "sauvegarde_base");
  assertEquals(commOf("sauvegarde_basé"), "sauvegarde_bas\uFFFD");
});

Deno.test("isAmbiguousComm() is true from 15 bytes on", () => {
  assertEquals(isAmbiguousComm("mysql_backup.s"), false);
  assertEquals(isAmbiguousComm("mysql_backup.sh"), true);
  assertEquals(isAmbiguousComm("éééééééé"), true);
});

Deno.test("commOf() is what this kernel says of a running script", async () => {
  const folder = await Deno.makeTempDir();
  for (const name of ["mysql_cluster_backup.sh", "sauvegarde_basé", "sauvegarde_générale.sh"]) {
    await Deno.writeTextFile(`${folder}/${name}`, "#!/bin/cat /proc/self/comm\n", { mode: 0o755 });
    const { stdout } = await new Deno.Command(`${folder}/${name}`).output();
    const [comm] = new TextDecoder().decode(stdout).split("\n");
    assertEquals(comm, commOf(name));
  }
  await Deno.remove(folder, { recursive: true });
});
