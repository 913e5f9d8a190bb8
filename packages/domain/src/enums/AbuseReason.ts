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
