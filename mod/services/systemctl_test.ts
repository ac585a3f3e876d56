import { assertEquals } from "@std/assert";
import { isNotInstalled, isStartable, parseSystemctlShow } from "./systemctl.ts";

const SHOWN = `MainPID=812
Id=nginx.service
LoadState=loaded
ActiveState=active
UnitFileState=enabled
RequiredBy=shop.service
BoundBy=shop-cache.service shop-queue.timer
ConsistsOf=shop-log.service

MainPID=0
Id=php8.4-fpm.service
LoadState=not-found
ActiveState=inactive
UnitFileState=
`;

Deno.test("parseSystemctlShow() reads a block for each unit, in any order of its lines", () => {
  assertEquals(parseSystemctlShow(SHOWN), [
    {
      id: "nginx.service",
      loadState: "loaded",
      activeState: "active",
      fileState: "enabled",
      mainPid: 812,
      boundBy: ["shop-cache.service", "shop-queue.timer"],
      stoppedWith: ["shop.service", "shop-log.service"],
    },
    {
      id: "php8.4-fpm.service",
      loadState: "not-found",
      activeState: "inactive",
      fileState: "",
      mainPid: undefined,
      boundBy: [],
      stoppedWith: [],
    },
  ]);
});

Deno.test("parseSystemctlShow() passes over what names no unit", () => {
  assertEquals(parseSystemctlShow(""), []);
  assertEquals(parseSystemctlShow("Failed to connect to bus\n\nLoadState=loaded\n"), []);
});

Deno.test("isNotInstalled() tells a unit that is gone from one that fails", async () => {
  const stale = new URL("../../fixtures/cases/c73-php-fpm-unit-names/stale/systemctl.rc", import.meta.url);
  assertEquals(isNotInstalled(Number(await Deno.readTextFile(stale))), true);
  assertEquals([0, 1, 3, 4, 127].map(isNotInstalled), [false, false, false, false, false]);
});

Deno.test("isStartable() is false for what systemd refuses to start, and not for what is not known", () => {
  assertEquals(["masked", "not-found", "bad-setting", "error"].map(isStartable), Array(4).fill(false));
  assertEquals(["loaded", ""].map(isStartable), [true, true]);
});
