/** Wakes up a number of times and does nothing: what the runtime alone costs on this machine. */

const [times, everyMs] = Deno.args.map(Number);
for (let left = times ?? 0; left > 0; left--) {
  await new Promise((resolve) => setTimeout(resolve, everyMs));
}
