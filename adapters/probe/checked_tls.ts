/** TLS that refuses a certificate that browsers would refuse. */

import { type ByteStream, closeQuietly, streamOf } from "./byte_stream.ts";
import type { TlsTunnel } from "./tls_tunnel.ts";

/**
 * Speaks TLS through a tunnel.
 *
 * @param servername Name or address that the certificate must be made for, and that the server is told
 * @param authorities Certificates of authorities, in PEM, that are trusted besides the known ones
 * @returns A stream whose handshake is over. Rejects with what went wrong; the tunnel must be closed in any case
 */
export async function openCheckedTls(
  tunnel: TlsTunnel,
  servername: string,
  authorities: readonly string[] = [],
): Promise<ByteStream> {
  const plain = await Deno.connect({ hostname: "127.0.0.1", port: tunnel.port });
  let tls: Deno.TlsConn | undefined;
  try {
    await tunnel.admit(plain.localAddr.port);
    plain.setNoDelay(true);
    tls = await Deno.startTls(plain, {
      hostname: servername,
      alpnProtocols: ["http/1.1"],
      caCerts: [...authorities],
    });
    await tls.handshake();
    return streamOf(tls);
  } catch (error) {
    closeQuietly(tls ?? plain);
    throw error;
  }
}

/** What the runtime says of a certificate begins so. */
const REFUSAL = "invalid peer certificate: ";

/** The runtime's words, and better ones. */
const PROBLEMS: Readonly<Record<string, string>> = {
  "Expired": "it has expired",
  "NotValidYet": "it is not valid yet",
  "NotValidForName": "it is made for another name",
  "UnknownIssuer": "its issuer is not known here, or it came without the one in between",
};

/** What is wrong with a certificate, for people; undefined for errors that are about something else. */
export function maybeCertificateProblem(error: unknown): string | undefined {
  if (!(error instanceof Error) || !error.message.startsWith(REFUSAL)) return undefined;
  const detail = error.message.slice(REFUSAL.length);
  // The runtime's words for a certificate that is its own issuer, as openssl makes them.
  if (detail.includes("CaUsedAsEndEntity")) return "signed by itself";
  return PROBLEMS[detail] ?? detail;
}
