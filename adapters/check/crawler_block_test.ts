import { assertEquals } from "@std/assert";
import { lookAtCrawlerBlock } from "./crawler_block.ts";
import { makeTempHost } from "./temp_host.ts";

const ON = "/etc/nginx/loadweir/nginx_high_load.conf";
const OFF = "/etc/nginx/loadweir/nginx_high_load_off.conf";

/** As Debian has it: sites are links. */
const NGINX = {
  "/etc/nginx/nginx.conf": "http { include /etc/nginx/sites-enabled/*; }",
  "/etc/nginx/sites-available/default": "server {\n include /etc/nginx/loadweir/nginx_high_load.c*;\n}",
  "/etc/nginx/sites-enabled/default": { link: "../sites-available/default" },
};

for (
  const [state, files] of [["off", [OFF]], ["on", [ON]], ["both", [ON, OFF]], ["absent", []]] as const
) {
  Deno.test(`lookAtCrawlerBlock() finds the block ${state} and the line that includes it`, async () => {
    await using host = await makeTempHost({
      ...NGINX,
      ...Object.fromEntries(files.map((path) => [path, ""])),
    });
    assertEquals(lookAtCrawlerBlock("generic", host.files), {
      paths: { on: ON, off: OFF },
      state,
      include: {
        kind: "included",
        places: [{
          path: "/etc/nginx/sites-enabled/default",
          line: 2,
          pattern: "/etc/nginx/loadweir/nginx_high_load.c*",
        }],
      },
    });
  });
}

Deno.test("lookAtCrawlerBlock() does not count a site that is not enabled", async () => {
  await using host = await makeTempHost({
    "/etc/nginx/nginx.conf": NGINX["/etc/nginx/nginx.conf"],
    "/etc/nginx/sites-available/default": NGINX["/etc/nginx/sites-available/default"],
  });
  assertEquals(lookAtCrawlerBlock("generic", host.files).include.kind, "unreached");
});

Deno.test("lookAtCrawlerBlock() knows what the sites of a BOA host include", async () => {
  await using host = await makeTempHost({
    "/etc/nginx/nginx.conf": "http { include /etc/nginx/conf.d/*.conf; }",
    "/etc/nginx/conf.d/aegir.conf": { link: "/var/aegir/config/nginx.conf" },
    "/data/conf/nginx_high_load_off.conf": "",
    "/var/aegir/config/includes/nginx_compact_include.conf": "\ninclude /data/conf/nginx_high_load.c*;",
  });
  const { paths, state, include } = lookAtCrawlerBlock("boa", host.files);
  assertEquals([paths.off, state, include.kind], ["/data/conf/nginx_high_load_off.conf", "off", "included"]);
  assertEquals(lookAtCrawlerBlock("generic", host.files).include.kind, "none");
});

Deno.test("lookAtCrawlerBlock() counts relative paths from the main configuration", async () => {
  await using host = await makeTempHost({
    "/etc/nginx/own/main.conf": "http { include ../loadweir/*.c; include sites/*; }",
    "/etc/nginx/own/sites/a": "include /etc/nginx/loadweir/nginx_high_load.c*;",
  });
  assertEquals(
    lookAtCrawlerBlock("generic", host.files, "/etc/nginx/own/main.conf").include.kind,
    "included",
  );
});

Deno.test("lookAtCrawlerBlock() comes to an end where a folder contains itself", async () => {
  await using host = await makeTempHost({ ...NGINX, "/etc/nginx/conf.d/loop": { link: ".." } });
  assertEquals(lookAtCrawlerBlock("generic", host.files).include.kind, "included");
});

Deno.test("lookAtCrawlerBlock() finds nothing where there is no nginx", async () => {
  await using host = await makeTempHost({});
  const { state, include } = lookAtCrawlerBlock("generic", host.files);
  assertEquals([state, include], ["absent", { kind: "none" }]);
});
