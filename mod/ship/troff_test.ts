import { assertEquals } from "@std/assert";
import { troffExample, troffTerm, troffText } from "./troff.ts";

Deno.test("troffText() lets no text become a command, a hyphen or a quote of another kind", () => {
  assertEquals(troffText(".SH of\n'quoted'\nC:\\fB"), "\\&.SH of\n\\(aqquoted\\(aq\nC:\\efB");
  assertEquals(troffText("--set ~ ^ `x`"), "\\-\\-set \\(ti \\(ha \\(gax\\(ga");
});

Deno.test("troffTerm() and troffExample() leave no macro open", () => {
  assertEquals(troffTerm("--json", "print JSON"), ".TP\n\\fB\\-\\-json\\fR\nprint JSON\n");
  assertEquals(troffExample("a\nb"), ".PP\n.RS 4\n.EX\na\nb\n.EE\n.RE\n");
});
