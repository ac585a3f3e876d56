// Types of the npm packages that ship none. deno-std is the genuine Deno standard library; only the parts in use are typed.

declare module "@std/assert" {
  export function assert(expr: unknown, msg?: string): asserts expr;
  export function assertEquals<T>(actual: T, expected: T, msg?: string): void;
  export function assertNotEquals<T>(actual: T, expected: T, msg?: string): void;
  export function assertStrictEquals<T>(actual: unknown, expected: T, msg?: string): asserts actual is T;
  export function assertAlmostEquals(
    actual: number,
    expected: number,
    tolerance?: number,
    msg?: string,
  ): void;
  export function assertMatch(actual: string, expected: RegExp, msg?: string): void;
  export function assertNotMatch(actual: string, expected: RegExp, msg?: string): void;
  export function assertStringIncludes(actual: string, expected: string, msg?: string): void;
  export function assertThrows<E extends Error = Error>(
    fn: () => unknown,
    // deno-lint-ignore no-explicit-any
    errorClass?: new (...args: any[]) => E,
    msgIncludes?: string,
  ): E;
  export function assertRejects<E extends Error = Error>(
    fn: () => PromiseLike<unknown>,
    // deno-lint-ignore no-explicit-any
    errorClass?: new (...args: any[]) => E,
    msgIncludes?: string,
  ): Promise<E>;
}

declare module "@std/fmt/colors" {
  export function bold(text: string): string;
  export function dim(text: string): string;
  export function red(text: string): string;
  export function green(text: string): string;
  export function yellow(text: string): string;
  export function setColorEnabled(value: boolean): void;
}

declare module "@std/text/levenshtein-distance" {
  export function levenshteinDistance(left: string, right: string): number;
}

declare module "@std/cli/parse-args" {
  export interface ParseOptions {
    readonly boolean?: readonly string[];
    readonly string?: readonly string[];
    readonly collect?: readonly string[];
    readonly alias?: Readonly<Record<string, string>>;
    readonly default?: Readonly<Record<string, unknown>>;
    readonly stopEarly?: boolean;
    readonly unknown?: (arg: string, key?: string, value?: unknown) => unknown;
  }
  export function parseArgs(
    args: readonly string[],
    options?: ParseOptions,
  ): Record<string, unknown> & { _: (string | number)[] };
}

declare module "asciichart" {
  export function plot(
    series: readonly number[],
    options?: { readonly height?: number; readonly format?: (value: number) => string },
  ): string;
}

declare module "punycode/punycode.es6.js" {
  export function toASCII(name: string): string;
}
