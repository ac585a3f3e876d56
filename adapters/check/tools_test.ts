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
  assertEquals(lookForTools(host.files), [
    { name: "ps", path: "/usr/bin/ps" },
    { name: "vmstat", path: undefined },
    { name: "systemctl", path: undefined },
    { name: "kill", path: "/bin/kill" },
    { name: "service", path: undefined },
  ]);
});
