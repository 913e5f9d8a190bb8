/** Reasons that reports can name (contract: AbusePredefinedReason), by their names on the wire. */
export const abuseReasons: Readonly<Record<string, number>> = {
  violentOrRepulsive: 1,
  // As the description of the API has it.
  violentOrAbusive: 1,
  hatefulOrAbusive: 2,
  spamOrMisleading: 3,
  privacy: 4,
  rights: 5,
  serverRules: 6,
  thumbnails: 7,
  captions: 8
}

/** The one name by which answers and activities have a reason. */
export const abuseReasonNames = [
  "violentOrRepulsive",
  "hatefulOrAbusive",
  "spamOrMisleading",
  "privacy",
  "rights",
  "serverRules",
  "thumbnails",
  "captions"
] as const

export type AbuseReasonName = (typeof abuseReasonNames)[number]

/** The names of reasons, in their order; ids of a newer version have none. */
export const namesOfReasons = (ids: ReadonlyArray<number>) =>
  abuseReasonNames.filter((_, place) => ids.includes(place + 1))
