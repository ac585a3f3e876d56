import { assertEquals, assertStringIncludes } from "@std/assert";
import { absent, ok, whyMissing } from "../../mod/reading.ts";
import { createHostFiles } from "./host_files.ts";
import { makeTempHost } from "./temp_host.ts";

Deno.test("createHostFiles() reads files, and says why it does not", async () => {
  await using host = await makeTempHost({ "/etc/a": "text", "/etc/large": "x".repeat((1 << 20) + 1) });
  new Deno.Command("mkfifo", { args: [`${host.root}/etc/pipe`] }).outputSync();
  assertEquals(host.files.readText("/etc/a"), ok("text"));
  assertEquals(host.files.readText("/etc/b"), absent("there is no /etc/b"));
  assertEquals(whyMissing(host.files.readText("/etc/pipe")), "Cannot read /etc/pipe: not a regular file");
  assertEquals(whyMissing(host.files.readText("/etc")), "Cannot read /etc: not a regular file");
  assertStringIncludes(whyMissing(host.files.readText("/etc/large")) ?? "", "expected at most 1048576");
});

Deno.test("createHostFiles() lists files and folders, also through links, by name", async () => {
  await using host = await makeTempHost({
    "/etc/file": "",
    "/etc/folder/x": "",
    "/etc/script": { program: "" },
    "/etc/to-file": { link: "file" },
    "/etc/to-folder": { link: "folder" },
    "/etc/to-nothing": { link: "nothing" },
    "/etc/to-null": { link: "/dev/null" },
  });
  assertEquals(
    host.files.list("/etc").map(({ name, isFile, isFolder, isExecutable, linkTarget }) =>
      [name, isFile && "file", isFolder && "folder", isExecutable && "runs", linkTarget].filter(Boolean).join(
        " ",
      )
    ),
    [
      "file file",
      "folder folder runs",
      "script file runs",
      "to-file file file",
      "to-folder folder runs folder",
      "to-nothing nothing",
      "to-null /dev/null",
    ],
  );
  assertEquals(host.files.list("/nowhere"), []);
  assertEquals(["/etc/to-file", "/etc/to-nothing"].map(host.files.exists), [true, false]);
  assertEquals(["/etc/to-file", "/etc/file"].map(host.files.maybeLinkTarget), ["file", undefined]);
});

Deno.test({
  name: "createHostFiles() throws nothing where the sandbox lets it see nothing",
  permissions: { read: false },
  fn(): void {
    const files = createHostFiles();
    assertStringIncludes(whyMissing(files.readText("/etc/passwd")) ?? "", "Cannot read /etc/passwd: ");
    assertEquals(files.list("/etc"), []);
    assertEquals(files.exists("/etc"), false);
    assertEquals(files.maybeLinkTarget("/proc/self"), undefined);
  },
});
