/**
 * The bill of materials of the binaries: CycloneDX JSON with the runtime, and every npm package of which the bundle holds
 * a module. No well-kept tool reads `deno.lock`, and none knows what a bundle leaves out.
 *
 * There is no time and no random number in it: the same commit gives the same bytes.
 *
 * @see https://cyclonedx.org/docs/1.6/json/
 */

import { join } from "node:path";
import { DENO_VERSION, TARGETS } from "./targets.ts";

/** Where a bundle names a module of a package: `// npm:@a/b/1.0.0/c.js`, or the same in quotes. */
const MODULE = /(?:^\/\/ |")npm:((?:@[^/"\n]+\/)?[^/@"\n]+)\/([^/"\n]+)\//gm;

/** What `deno.lock` says of npm packages. */
export interface Lock {
  readonly npm: Readonly<Record<string, { readonly integrity: string }>>;
}

/** What a bill is made of. */
export interface Materials {
  readonly version: string;
  /** The texts of the bundle, one after the other. */
  readonly code: string;
  readonly lock: Lock;
  /** The license of a package, as its `package.json` has it; undefined when it says none. */
  readonly licenseOf: (name: string, version: string) => string | undefined;
}

/** A package in the binary. */
interface Package {
  readonly name: string;
  readonly version: string;
}

/**
 * Renders the bill as JSON text.
 *
 * @throws {Error} If the bundle holds a module of a package that is not locked
 */
export function renderSbom({ version, code, lock, licenseOf }: Materials): string {
  const program = `pkg:generic/loadweir@${version}`;
  const packages = packagesOf(code);
  const runtimes = TARGETS.map(({ arch, runtimeSha256 }) => ({
    type: "framework",
    "bom-ref": `denort-${arch}`,
    name: `denort-${arch}`,
    version: DENO_VERSION,
    description: "runtime that the program is appended to, with V8 and all else that it is linked with",
    hashes: [{ alg: "SHA-256", content: runtimeSha256 }],
    licenses: [{ license: { id: "MIT" } }],
    purl: `pkg:github/denoland/deno@v${DENO_VERSION}`,
  }));
  const libraries = packages.map(({ name, version }) => {
    const license = licenseOf(name, version);
    return {
      type: "library",
      "bom-ref": purlOf(name, version),
      name,
      version,
      hashes: [{ alg: "SHA-512", content: sha512Hex(`${name}@${version}`, lock) }],
      ...license === undefined ? {} : { licenses: [{ license: { id: license } }] },
      purl: purlOf(name, version),
    };
  });
  const components = [...runtimes, ...libraries];
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": program,
        name: "loadweir",
        version,
        licenses: [{ license: { id: "MIT" } }],
        purl: program,
      },
    },
    components,
    dependencies: [{ ref: program, dependsOn: components.map((component) => component["bom-ref"]) }],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

/** Reads licenses from the packages in Deno's cache, in whatever folder of a registry they are. */
export function licensesIn(npmCache: string): Materials["licenseOf"] {
  const registries = [...Deno.readDirSync(npmCache)].filter(({ isDirectory }) => isDirectory);
  return (name, version) => {
    for (const registry of registries) {
      try {
        const path = join(npmCache, registry.name, name, version, "package.json");
        const { license } = JSON.parse(Deno.readTextFileSync(path)) as { readonly license?: string };
        return license;
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
      }
    }
    return undefined;
  };
}

/** The packages of which a bundle holds a module, each once, by name. */
function packagesOf(code: string): readonly Package[] {
  const found = new Map<string, Package>();
  for (const [, name = "", version = ""] of code.matchAll(MODULE)) {
    found.set(`${name}@${version}`, { name, version });
  }
  return [...found.values()].sort((a, b) => purlOf(a.name, a.version) < purlOf(b.name, b.version) ? -1 : 1);
}

/** As package URLs spell it: the `@` of a scope is escaped. */
function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

/** @throws {Error} If the package is not locked, or by another sum */
function sha512Hex(id: string, lock: Lock): string {
  const integrity = lock.npm[id]?.integrity;
  const [, base64] = /^sha512-(.+)$/.exec(integrity ?? "") ?? [];
  if (base64 === undefined) {
    throw new Error(
      `Cannot name the sum of "${id}": deno.lock has ${integrity ?? "no such package"}, expected sha512`,
    );
  }
  return Uint8Array.fromBase64(base64).toHex();
}
