import { assertEquals } from "@std/assert";
import { parsePasswd } from "./users.ts";

Deno.test("parsePasswd() names users by their id, and passes over what is no user", () => {
  const text = "root:x:0:0:root:/root:/bin/bash\ntoor:x:0:0::/root:/bin/sh\n# note:x:5:5\n+::::::\n" +
    "www-data:x:33:33:www-data:/var/www:/usr/sbin/nologin\nbroken\nodd:x:-1:1::/:\n";
  assertEquals([...parsePasswd(text)], [[0, "root"], [33, "www-data"]]);
});
