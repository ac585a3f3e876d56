import { assertEquals } from "@std/assert";
import { permittedValues } from "../permissions.ts";
import { mountCommands, PROC_MOUNT } from "./proc_mount.ts";

Deno.test("mountCommands() mounts where the binary may read", () => {
  assertEquals(permittedValues("read").includes(PROC_MOUNT), true);
  assertEquals(mountCommands(false), [
    "mkdir -p /run/loadweir/proc && mount --bind /proc /run/loadweir/proc",
    "mount -o remount,bind,ro /run/loadweir/proc",
  ]);
});

Deno.test("mountCommands() takes along what lxcfs puts over files of /proc in a container", () => {
  assertEquals(
    mountCommands(true)[0],
    "mkdir -p /run/loadweir/proc && mount --rbind --make-rslave /proc /run/loadweir/proc",
  );
});
