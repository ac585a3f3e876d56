import { assertEquals } from "@std/assert";
import { aProcess, DEFAULT_RUNAWAYS, pidsOf } from "../testing/process.ts";
import { findRunaways, isUsableRunawayName } from "./runaways.ts";

Deno.test("findRunaways() takes the exact comm and nothing like it", () => {
  const guilty = [aProcess(11, "php"), aProcess(12, "drush.php"), aProcess(13, "wget"), aProcess(14, "curl")];
  const innocent = [
    aProcess(21, "php8.1"),
    aProcess(22, "php-cgi"),
    aProcess(23, "phpd"),
    aProcess(24, "wget2"),
    aProcess(25, "curlftpfs"),
    aProcess(26, "bash", { argv: ["bash", "/root/php"] }),
    aProcess(27, "vim", { argv: ["php"] }),
    aProcess(28, ") Z 1 (php"),
    aProcess(29, "php\\n"),
    aProcess(30, "PHP"),
  ];
  assertEquals(pidsOf(findRunaways([...innocent, ...guilty], DEFAULT_RUNAWAYS)), [11, 12, 13, 14]);
});

Deno.test("findRunaways() does not ask for arguments", () => {
  assertEquals(pidsOf(findRunaways([aProcess(11, "php", { argv: undefined })], ["php"])), [11]);
});

Deno.test("findRunaways() leaves out zombies and kernel threads", () => {
  const php = aProcess(11, "php");
  assertEquals(findRunaways([{ ...php, state: "Z" }, { ...php, isKernelThread: true }], ["php"]), []);
});

Deno.test("findRunaways() never finds the web tier, even when told to", () => {
  const names = ["nginx", "nginx-debug", "php-fpm", "php-fpm8.3", "php83-fpm"];
  assertEquals(findRunaways(names.map((name, index) => aProcess(11 + index, name)), names), []);
});

Deno.test("findRunaways() never finds a name that may be cut", () => {
  assertEquals(findRunaways([aProcess(11, "chromium-browse")], ["chromium-browse", "chromium-browser"]), []);
});

Deno.test("isUsableRunawayName() says which names match nothing", () => {
  assertEquals(DEFAULT_RUNAWAYS.every(isUsableRunawayName), true);
  for (const name of ["", "nginx", "php-fpm7.4", "chromium-browse"]) {
    assertEquals(isUsableRunawayName(name), false, name);
  }
});
