import { assertEquals } from "@std/assert";
import type { AppConfig } from "./pressure_config.ts";
import { resolveConfig } from "./resolve.ts";

/** What a file says of its applications, and what is wrong with it. */
function read(text: string): { apps: readonly AppConfig[]; told: readonly unknown[] } {
  const { apps, problems } = resolveConfig({ ini: { source: "x.ini", text } });
  return { apps, told: problems.map(({ line, message, using }) => [line, message, using ?? "ignored"]) };
}

Deno.test("APPS are read from a section each", () => {
  const text = "[app:shop.example.org]\nclass = node\nunit = shop.service\ncpus = 1.5\nqueue = instances\n" +
    "[app: jobs ]\nclass = Python\nprocess = uvicorn\nargument = ' --app ; x'\n";
  assertEquals(read(text), {
    apps: [
      {
        name: "shop.example.org",
        class: "node",
        unit: "shop.service",
        process: "",
        argument: "",
        cpus: 1.5,
        queue: { kind: "instances" },
      },
      {
        name: "jobs",
        class: "python",
        unit: "",
        process: "uvicorn",
        argument: " --app ; x",
        cpus: 0,
        queue: { kind: "none" },
      },
    ],
    told: [],
  });
});

for (
  const [kind, queue] of [["php", "php-fpm"], ["node", "none"], ["python", "none"]] as const
) {
  Deno.test(`APPS of class ${kind} show their queue by ${queue}, unless another one is set`, () => {
    const text = `[app:a]\nclass = ${kind}\nunit = a.service\n[app:b]\nqueue = instances\nclass = ${kind}\n` +
      "unit = b.service\n";
    assertEquals(read(text).apps.map((app) => app.queue.kind), [queue, "instances"]);
  });
}

const BROKEN: readonly (readonly [string, string, readonly unknown[]])[] = [
  ["no class", "[app:a]\nunit = a.service\n", [
    [1, "[app:a] has no good class, so that the application is not watched", "ignored"],
  ]],
  ["a class that there is not", "[app:a]\nclass = ruby\nunit = a.service\n", [
    [1, "[app:a] has no good class, so that the application is not watched", "ignored"],
    [2, '[app:a] class is "ruby", expected php, node or python', "ignored"],
  ]],
  ["neither unit nor process", "[app:a]\nclass = php\n", [
    [1, "[app:a] has no good unit or process, so that the application is not watched", "ignored"],
  ]],
  ["both unit and process", "[app:a]\nclass = php\nunit = a.service\nprocess = php\n", [
    [
      1,
      "[app:a] has both unit and process, expected one of them, so that the application is not watched",
      "ignored",
    ],
  ]],
  ["a process that the kernel would have cut", "[app:a]\nclass = node\nprocess = a-name-of-16-let\n", [
    [1, "[app:a] has no good unit or process, so that the application is not watched", "ignored"],
    [
      3,
      '[app:a] process is "a-name-of-16-let", expected one exact process name of at most 15 characters, ' +
      "without patterns or paths, or nothing",
      "",
    ],
  ]],
  ["a bad queue, with the one of its class", "[app:a]\nclass = php\nprocess = php-fpm\nqueue = redis\n", [
    [4, '[app:a] queue is "redis", expected none, php-fpm or instances', "php-fpm"],
  ]],
  ["a section that it is not", "[apps:a]\nclass = php\n", [
    [1, "[apps:a]: unknown section, did you mean [app:a]?", "ignored"],
  ]],
];

for (const [name, text, expected] of BROKEN) {
  Deno.test(`APPS are told of ${name}`, () => {
    const { told, apps } = read(text);
    assertEquals(told, expected);
    assertEquals(apps.length, name.startsWith("a bad queue") ? 1 : 0);
  });
}
