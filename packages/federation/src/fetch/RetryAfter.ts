/**
 * Milliseconds a `Retry-After` header (RFC 9110, 10.2.3: seconds or a date) asks for, between zero and `maxMillis`;
 * undefined when the header is missing or neither of both.
 */
export const retryAfterMillis = (header: string | undefined, now: number, maxMillis: number): number | undefined => {
  if (header === undefined) return undefined
  const text = header.trim()
  const millis = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now
  return Number.isNaN(millis) ? undefined : Math.min(Math.max(millis, 0), maxMillis)
}
