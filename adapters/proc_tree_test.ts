import { assert, assertEquals } from "@std/assert";
import { copyProcTree } from "./proc_tree.ts";

const STORM = new URL("../fixtures/proc/6.1_crawler_storm", import.meta.url).pathname;

Deno.test("copyProcTree() keeps what the rules read, and no argument, pool or site", async () => {
  const folder = Deno.makeTempDirSync();
  const copied = await copyProcTree(STORM, folder, "a test");
  const pids = [...Deno.readDirSync(STORM)].filter(({ name }) => /^\d+$/.test(name));
  assertEquals(copied, pids.length);
  assertEquals(Deno.readTextFileSync(`${folder}/ORIGIN`), "a test\n");
  for (const file of ["loadavg", "stat", "meminfo", "pressure/io", "812/stat", "812/comm"]) {
    assertEquals(Deno.readTextFileSync(`${folder}/${file}`), Deno.readTextFileSync(`${STORM}/${file}`), file);
  }
  assertEquals(Deno.readTextFileSync(`${folder}/812/cmdline`), "nginx: master process\0");
  assertEquals(Deno.readTextFileSync(`${folder}/835/cmdline`), "php-fpm: pool pool1\0");
  assertEquals(Deno.readTextFileSync(`${folder}/4120/cmdline`), "php\0artisan\0");
  const everything = pids.map(({ name }) => Deno.readTextFileSync(`${folder}/${name}/cmdline`)).join("");
  assert(!/queue:work|www|\/etc\//.test(everything), everything);
  Deno.removeSync(folder, { recursive: true });
});
