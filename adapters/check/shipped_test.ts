import { assertEquals } from "@std/assert";
import { CRAWLER_BLOCKS } from "../../mod/nginx/crawler_block.ts";
import { maybeShipped } from "../../mod/ship/shipped.ts";
import { lookAtShipped } from "./shipped.ts";
import { makeTempHost } from "./temp_host.ts";

const UNIT = maybeShipped("unit")?.text() ?? "";
const BLOCK = maybeShipped("nginx-block")?.text() ?? "";

Deno.test("lookAtShipped() tells what is absent, current, and otherwise than it is printed", async () => {
  await using host = await makeTempHost({
    "/etc/systemd/system/loadweir.service": UNIT,
    "/etc/logrotate.d/loadweir": "# by hand\n",
    [CRAWLER_BLOCKS.generic.on]: BLOCK,
  });
  const found = lookAtShipped("systemd", "generic", host.files);
  assertEquals(found.map(({ name, state }) => [name, state]), [
    ["audit-unit", "absent"],
    ["logrotate", "differs"],
    ["nginx-block", "current"],
    ["unit", "current"],
  ]);
  assertEquals(found[2]?.path, CRAWLER_BLOCKS.generic.on);
  assertEquals(
    found[3]?.cure,
    "loadweir print unit >/etc/systemd/system/loadweir.service && systemctl daemon-reload && " +
      "systemctl try-restart loadweir",
  );
});

Deno.test("lookAtShipped() looks for the init script where systemd does not run the host, and leaves BOA its block", async () => {
  await using host = await makeTempHost({ "/etc/init.d/loadweir/folder": "" });
  for (const manager of ["sysv", "none"] as const) {
    const found = lookAtShipped(manager, "boa", host.files);
    assertEquals(found.map(({ name, state }) => [name, state]), [["logrotate", "absent"], [
      "sysv",
      "unreadable",
    ]]);
    assertEquals(found[1]?.why, "Cannot read /etc/init.d/loadweir: not a regular file");
  }
});
