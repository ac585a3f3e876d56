/** Connects to a site, with TLS where it has it, and says what became of its certificate. */

import type { SiteTarget } from "../../mod/probe/site.ts";
import type { SiteCertificate, SiteStage } from "../../mod/probe/site_look.ts";
import { type ByteStream, closeQuietly, streamOf } from "./byte_stream.ts";
import { maybeCertificateProblem, openCheckedTls } from "./checked_tls.ts";
import { openTunnel } from "./tls_tunnel.ts";
import { openUncheckedTls } from "./unchecked_tls.ts";

/** What a connection that is being made tells. */
export interface ConnectionWatch {
  /** Ends it at once, at any time. */
  readonly signal: AbortSignal;
  /** Certificates of authorities, in PEM, that are trusted besides the known ones. */
  readonly authorities: readonly string[];
  readonly reached: (stage: SiteStage) => void;
  readonly saw: (certificate: SiteCertificate) => void;
}

/**
 * Connects. A certificate that is refused ends that connection before anything is asked, so another one is made
 * that takes any: the site is seen, and the certificate told of.
 *
 * @returns A stream that the signal closes too. Rejects with what went wrong, everything closed
 */
export async function connectToSite(target: SiteTarget, watch: ConnectionWatch): Promise<ByteStream> {
  if (!target.isHttps) return streamOf(await connectTcp(target, watch));
  try {
    const stream = await connectTls(target, watch, "checked");
    watch.saw({ kind: "trusted" });
    return stream;
  } catch (error) {
    const problem = maybeCertificateProblem(error);
    if (problem === undefined) throw error;
    watch.saw({ kind: "refused", problem });
    return await connectTls(target, watch, "unchecked");
  }
}

async function connectTcp(
  { address, port }: SiteTarget,
  { signal, reached }: ConnectionWatch,
): Promise<Deno.TcpConn> {
  reached("connect");
  const conn = await Deno.connect({ hostname: address, port, signal });
  closeWith(signal, () => closeQuietly(conn));
  return conn;
}

async function connectTls(
  target: SiteTarget,
  watch: ConnectionWatch,
  how: "checked" | "unchecked",
): Promise<ByteStream> {
  const conn = await connectTcp(target, watch);
  watch.reached("tls");
  const tunnel = openTunnel(conn);
  closeWith(watch.signal, tunnel.close);
  try {
    const tls = how === "checked"
      ? await openCheckedTls(tunnel, target.host, watch.authorities)
      : await openUncheckedTls(tunnel, target.host);
    closeWith(watch.signal, tls.close);
    const blaming = async <T>(promise: Promise<T>): Promise<T> => {
      try {
        return await promise;
      } catch (error) {
        // Through the tunnel a reset of the site looks like an end.
        throw tunnel.maybeSiteError() ?? error;
      }
    };
    return {
      read: (into) => blaming(tls.read(into)),
      write: (bytes) => blaming(tls.write(bytes)),
      close(): void {
        tls.close();
        tunnel.close();
      },
    };
  } catch (error) {
    tunnel.close();
    throw tunnel.maybeSiteError() ?? error;
  }
}

/** Has a signal close something, at once where it has been given already. */
function closeWith(signal: AbortSignal, close: () => void): void {
  if (signal.aborted) close();
  else signal.addEventListener("abort", close, { once: true });
}
