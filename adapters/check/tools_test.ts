import { assertEquals } from "@std/assert";
import { makeTempHost } from "./temp_host.ts";
import { lookForTools } from "./tools.ts";

Deno.test("lookForTools() finds each tool by either spelling, and no program of the web tier", async () => {
  await using host = await makeTempHost({
    "/usr/bin/ps": "",
    "/bin/ps": "",
    "/bin/kill": "",
    "/usr/sbin/nginx": "",
  });
  const tools = lookForTools(host.files);
  const found = tools.filter(({ path }) => path !== undefined);
  assertEquals(found, [{ name: "ps", path: "/usr/bin/ps" }, { name: "kill", path: "/bin/kill" }]);
  const names = tools.map(({ name }) => name);
  assertEquals(new Set(names).size, names.length);
  for (const name of ["vmstat", "systemctl", "service"]) assertEquals(names.includes(name), true, name);
  for (const name of ["nginx", "php-fpm", "pause", "tasks"]) assertEquals(names.includes(name), false, name);
});
