/** Which of the two text formats of Prometheus a page is in. */

/** `text` is version 0.0.4, `openmetrics` is OpenMetrics 1.0. */
export type ExpositionFormat = "text" | "openmetrics";

/**
 * The format that a Content-Type names: OpenMetrics by its name, 0.0.4 for everything else, which many exporters leave at
 * `text/plain`. Never throws.
 *
 * @param contentType The header; undefined where the answer had none
 */
export function formatOf(contentType: string | undefined): ExpositionFormat {
  const mediaType = (contentType ?? "").split(";", 1)[0] ?? "";
  return mediaType.trim().toLowerCase() === "application/openmetrics-text" ? "openmetrics" : "text";
}
