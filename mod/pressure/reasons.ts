/**
 * Why an evaluation came out as it did: a closed list, so that evaluations can be counted by it. The text beside a code has
 * the figures.
 */

/** What each code means, for people. */
export const PRESSURE_REASONS = {
  "memory": "memory is short",
  "php-saturated": "php-fpm is the bottleneck",
  "node-saturated": "Node is the bottleneck",
  "python-saturated": "Python is the bottleneck",
  "web-tier-saturated": "the web tier is the bottleneck",
  "connections": "connections are near their limit while the CPU is low",
  "paused": "scaling is paused, or no instance runs",
  "insufficient-samples": "too few samples in the window",
  "stale-endpoint": "a figure is missing, so that the score is not known",
  "inflight-dominant": "requests in flight, not the CPU, make the pressure",
  "latency-dominant": "latency, not the CPU, makes the pressure",
  "skew": "one instance is hot and the tier is not",
  "loop-blocked": "a loop is late while its CPU is low",
  "nominal": "nothing is saturated and nothing idle",
  "confirming": "seen once, to be confirmed",
  "max-instances": "there are as many instances as there may be",
  "min-instances": "there are as few instances as there may be",
  "starting": "an instance is being started or is too new to count",
  "cooldown-out": "too soon after the tier was scaled out",
  "cooldown-in": "too soon after the tier was scaled",
  "start-failed": "a start has failed",
  "host-cpu-budget": "the host has no CPU left for one more",
  "host-ram-budget": "the host has no memory left for one more",
  "app-also-saturated": "an application is saturated too, and more web instances would not help it",
  "flap-guard": "the tier went to and fro too often",
  "observe-only": "only watched",
  "below-window": "not idle for long enough",
  "projection": "the instances that remain would be near saturation",
  "no-drain": "no way to stop an instance without losing requests is declared",
  "latency-truncated": "the latency may be higher than its histogram can tell",
  "scale-in": "idle for long enough",
} as const;

/** A code. */
export type PressureReason = keyof typeof PRESSURE_REASONS;

/** A code with its text. */
export interface Because {
  readonly code: PressureReason;
  readonly text: string;
}
