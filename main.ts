/** loadweir: sheds load before a web host goes under, and gives everything back once it is safe. */

import { main } from "./adapters/cli/cli.ts";

Deno.exit(await main(Deno.args));
