/** Spans that can be chosen, in days; 0 since the video was published. */
export const spans = [7, 30, 365, 0] as const

const dayMillis = 86_400_000

/** The longest span that figures over time are given for. */
const longest = 3650

/** Both ends of a span that ends now. */
export const spanOf = (days: number, publishedAt: string, now: number) => {
  const start = days === 0 ? Math.max(Date.parse(publishedAt), now - longest * dayMillis) : now - days * dayMillis
  return { startDate: new Date(Math.min(start, now)).toISOString(), endDate: new Date(now).toISOString() }
}
